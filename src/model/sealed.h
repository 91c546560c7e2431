/* model/sealed.h - what came of making a recording whole again. */
#ifndef PF_MODEL_SEALED_H
#define PF_MODEL_SEALED_H

/* Nothing was to do; it is whole again and nothing is lost; it is whole again without what was damaged. */
enum pf_sealed { PF_SEALED_NOTHING, PF_SEALED_WHOLE, PF_SEALED_WITH_LOSS };

#endif

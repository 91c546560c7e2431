struct b { struct list_head a : 3; };

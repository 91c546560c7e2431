#pragma once
BEGIN { printf("x"); exit(0); }

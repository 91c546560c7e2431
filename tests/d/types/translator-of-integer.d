struct out { int twice; };
translator struct out < int n > { twice = n * 2; };
BEGIN { printf("%d", xlate <struct out> (21).twice); exit(0); }

#pragma D option rawbytes
BEGIN { trace(1); exit(0); }

BEGIN { const = 1; }

BEGIN { this->x = alloca("a"); }

package schema

func (r *resolver) prove(s *Schema) {}

package dsl
import ("testing";"os")
func TestZZ(t *testing.T){ for n,b:=range schemas(t){ f,_:=Parse(n,b); os.WriteFile("/tmp/fm/"+n,Format(f),0o644)} }

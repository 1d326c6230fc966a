package script

import "testing"

func TestUses(t *testing.T) {
	for _, c := range []struct {
		text, code string
		want       bool
	}{
		{`x = json.dumps(y)`, "json.", true},
		{`json.dumps(y)`, "json.dumps(", true},
		{`x = my_json.dumps(y)`, "json.", false},
		{`x = a.json.text`, "json.", false},
		{`fail("json.text is not a text")`, "json.", false},
		{`fail("json.text"), json.loads(y)`, "json.", true},
		{`cast("Iterable[object]", y)`, "Iterable[", true},
		{`cast("AsyncIterable[object]", y)`, "Iterable[", false},
		{`infinite`, "inf", false},
		{`-inf`, "inf", true},
	} {
		if got := uses(c.text, c.code); got != c.want {
			t.Errorf("%s uses %s: %v", c.text, c.code, got)
		}
	}
}

package authservice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestAChangeThatComesAgainIsReturnedOnce(t *testing.T) {
	reader := &ChangesReader{}
	var all []Change
	for i := 0; i <= rememberedChanges; i++ {
		all = append(all, Change{ID: fmt.Sprint(i)})
	}
	if found := reader.unknown(all); len(found) != len(all) {
		t.Errorf("%d of %d changes were returned", len(found), len(all))
	}
	// Only so many are remembered, the last ones.
	if found := reader.unknown(all); len(found) != 1 || found[0].ID != "0" || len(reader.known) != rememberedChanges {
		t.Errorf("returned again were %v, remembered are %d", found, len(reader.known))
	}
}

func TestASnapshotIsCompleteOrNone(t *testing.T) {
	item := `{"kind":"inactive","userId":"ada","changeId":""}`
	page := func(items, cursor, total string) string {
		return `{"items":[` + items + `],"cursor":` + cursor + `,"total":` + total + `,"changesCursor":"c","rolloutPercent":100}`
	}
	for name, each := range map[string]struct {
		pages []string
		count int
	}{
		"two pages":                {[]string{page(item, `"a"`, "null"), page(item, "null", "2")}, 2},
		"one entry too few":        {[]string{page(item, `"a"`, "null"), page(item, "null", "3")}, 1},
		"no total":                 {[]string{page(item, "null", "null")}, 0},
		"the same cursor":          {[]string{page(item, `"a"`, "null"), page(item, `"a"`, "null")}, 1},
		"an empty cursor":          {[]string{page(item, `""`, "null")}, 0},
		"no list":                  {[]string{strings.Replace(page("", "null", "0"), "[]", "null", 1)}, 0},
		"no cursor of the changes": {[]string{strings.Replace(page("", "null", "0"), `"c"`, `""`, 1)}, 0},
		"no rollout":               {[]string{strings.Replace(page("", "null", "0"), "100", "null", 1)}, 0},
	} {
		var reactions []reaction
		for _, body := range each.pages {
			reactions = append(reactions, answerWith(body))
		}
		reader := startStub(t, reactions...).client(t, Options{}).Snapshot()
		count, err := 0, error(nil)
		for err == nil {
			if _, err = reader.Next(context.Background()); err == nil {
				count++
			}
		}
		isComplete := name == "two pages"
		if count != each.count || errors.Is(err, io.EOF) != isComplete || errors.Is(err, ErrUnexpectedAnswer) == isComplete {
			t.Errorf("%s: %d pages, then %v", name, count, err)
		}
	}
}

package authservice

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

const snapshotPageSize = 2500

// serviceReader sends signed reads without retries.
type serviceReader struct {
	caller *caller
}

// pageBody is that of a page of the snapshot or of the feed, with the date of the response.
type pageBody struct {
	Items              []json.RawMessage
	Cursor             *string
	ChangesCursor      *string
	RolloutPercent     *float64
	ApplicationVersion *float64
	Total              *int
	More               *bool
	Pending            float64
	Omitted            float64
	LiveAt             *string
	Ranges             []digestedRange
	// date is the zero time if the response has none.
	date time.Time
}

// digestedRange is a digest of consecutive user ids of one kind of entry, through an id; nil has all further ones.
type digestedRange struct {
	Kind    string
	Through *string
	Digest  string
}

func (r serviceReader) read(ctx context.Context, path, target string) (*pageBody, error) {
	askedAt := r.caller.clocks.now()
	given := call{method: http.MethodGet, path: path, target: target, reads: true, maxAttempts: 1}
	return send(ctx, r.caller, given, func(found *answer, _ string) (*pageBody, error) {
		body := &pageBody{}
		if decode(found.body, body) != nil {
			// Of another shape only the items are known, so that the page is incomplete.
			*body = pageBody{}
			var other struct{ Items []json.RawMessage }
			if err := decode(found.body, &other); err != nil {
				return nil, err
			}
			body.Items = other.Items
		}
		if body.Items == nil {
			return nil, errNotExpected
		}
		if header := found.headers.Get("Date"); header != "" {
			date, err := http.ParseTime(header)
			if err != nil || !isPlausible(date, askedAt, r.caller.clocks.now()) {
				return nil, errNotExpected
			}
			body.date = date
		}
		return body, nil
	})
}

// isPlausible: a read is signed within five minutes of this machine's time, and the service accepts it within five minutes of its
// own. So the clocks cannot differ by more; a date has whole seconds.
func isPlausible(date, askedAt, now time.Time) bool {
	return date.After(askedAt.Add(-2*maxSkew-time.Second)) && !date.After(now.Add(2*maxSkew))
}

// snapshot is a partially read snapshot; after a failure, reading continues with the same page.
type snapshot struct {
	state   *replicaState
	entries int
	// unsigned are the changes after it that the service does not vouch for.
	unsigned []feedChange
	after    string
	isRead   bool
	// isFollowed says whether a poll has begun to read the changes after it.
	isFollowed bool
}

// load reads the rest of a snapshot. It fails unless its last page and the number of its entries prove that it is complete.
func (s *snapshot) load(ctx context.Context, reader serviceReader) error {
	for !s.isRead {
		body, err := reader.read(ctx, "access", pageTarget("access", snapshotPageSize, s.after))
		if err != nil {
			return err
		}
		if err := s.add(body); err != nil {
			return err
		}
	}
	return nil
}

func (s *snapshot) add(body *pageBody) error {
	if orEmpty(body.ChangesCursor) == "" || body.RolloutPercent == nil || body.ApplicationVersion == nil {
		return errIncomplete
	}
	if *body.RolloutPercent < 0 || *body.ApplicationVersion < 0 || s.state.cursor != "" && s.state.cursor != *body.ChangesCursor {
		return errIncomplete
	}
	entries := s.entries + len(body.Items)
	if body.Cursor == nil && (body.Total == nil || *body.Total != entries) {
		return errIncomplete
	}
	if body.Cursor != nil && (*body.Cursor == "" || *body.Cursor == s.after) {
		return errIncomplete
	}
	added := page{rollouts: []rollout{{*body.RolloutPercent, *body.ApplicationVersion}}}
	for _, item := range body.Items {
		facts, err := readEntry(item)
		if err != nil {
			return err
		}
		added.facts = append(added.facts, facts...)
	}
	s.state.cursor = *body.ChangesCursor
	s.state.addPage(added, 0)
	s.entries, s.after, s.isRead = entries, orEmpty(body.Cursor), body.Cursor == nil
	return nil
}

// poll is what a poll has found.
type poll struct {
	// isComplete says whether it has read everything; otherwise it has given up.
	isComplete bool
	// date is that of its last response.
	date time.Time
	// seen are the users of changes that the service vouches for.
	seen map[string]bool
	// omits says whether there may be changes without a number that only a poll before had: they come once more with their numbers.
	omits bool
}

// follow reads the changes after a cursor until there are no more. Each page is read and checked as a whole, then applied together
// with the cursor. At the end, everything committed before the last request has been applied. It gives up after mostPages, unless
// what follows has no number yet: it would follow a snapshot just the same.
func (r serviceReader) follow(ctx context.Context, cursor string, apply func(found page, cursor string), mostPages int) (poll, error) {
	result := poll{seen: map[string]bool{}}
	for pages := 1; ; pages++ {
		body, err := r.read(ctx, "changes", pageTarget("changes", maxPageSize, cursor)+"&pending=new")
		if err != nil {
			return poll{}, err
		}
		if orEmpty(body.Cursor) == "" || body.More == nil || (*body.More && *body.Cursor == cursor) {
			return poll{}, errIncomplete
		}
		found, err := readChanges(body.Items)
		if err != nil {
			return poll{}, err
		}
		cursor = *body.Cursor
		apply(found, cursor)
		for userID := range found.users {
			result.seen[userID] = true
		}
		result.omits = result.omits || body.Omitted > 0
		if !*body.More || pages >= mostPages && body.Pending == 0 && body.Omitted == 0 {
			result.isComplete, result.date = !*body.More, body.date
			return result, nil
		}
	}
}

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';

describe('canonicalJson', () => {
  test('writes the example of RFC 8785 section 3.2.2 as in section 3.2.3', () => {
    const example = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(example)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('sorts members by their UTF-16 code units, as in the example of RFC 8785 section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, null])));
    expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`);
  });

  test('gives the same text for the same data in any order, and a different one for different data', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(members, members, (one, other) => {
        const reversed = Object.fromEntries(Object.entries(one).toReversed());
        expect(canonicalJson(reversed)).toBe(canonicalJson(one));
        expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)));
        if (canonicalJson(one) === canonicalJson(other)) {
          expect(JSON.parse(JSON.stringify(other))).toEqual(JSON.parse(JSON.stringify(one)));
        }
      }),
    );
  });

  test('omits undefined members', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});

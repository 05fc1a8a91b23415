import { describe, expect, test } from '@jest/globals';
import { type Cidr, readCidr } from '#shared/core/config.ts';
import { addressFilter } from '#shared/http/middleware/allowed-address.ts';

const listed = addressFilter(ranges('203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'));

describe('an allow list', () => {
  test.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8::1', '2001:DB8:FFFF::1'])(
    'an allow list allows %s',
    (address) => {
      expect(listed(address)).toBe(true);
    },
  );

  test('an allow list allows an IPv4 address in IPv6 notation', () => {
    expect(listed('::ffff:203.0.113.9')).toBe(true);
  });

  test.each(['203.0.112.255', '203.0.114.0', '198.51.100.8', '2001:db9::1', '::ffff:203.0.114.0', '::1', '127.0.0.1'])(
    'an allow list refuses %s',
    (address) => {
      expect(listed(address)).toBe(false);
    },
  );

  test.each(['', 'localhost', '203.0.113.9, 198.51.100.7', '203.0.113.9:443', undefined])(
    'an allow list refuses %p, which is not an address',
    (address) => {
      expect(listed(address as string)).toBe(false);
    },
  );

  test('an allow list of only IPv4 addresses refuses IPv6 addresses', () => {
    expect(addressFilter(ranges('0.0.0.0/0'))('2001:db8::1')).toBe(false);
  });

  test('an empty allow list allows every address', () => {
    expect(addressFilter([])('198.51.100.8')).toBe(true);
  });
});

function ranges(...texts: string[]): Cidr[] {
  return texts.flatMap((text) => readCidr(text) ?? []);
}

/**
 * Networks for rate limits, in a canonical spelling: an IPv4 address itself, or the /64 of an IPv6 address. A provider
 * gives each customer at least a /64 (RFC 6177), so counting single IPv6 addresses would give one customer 2^64 rate
 * limits.
 */

import { parseUrl } from '#contract/parse-url.ts';
import type { RequestDeps } from './app.ts';

const ipv4Pattern = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

function ipv4BytesOf(text: string): number[] | undefined {
  const bytes = ipv4Pattern.exec(text)?.slice(1).map(Number);
  return bytes?.every((byte) => byte <= 255) === true ? bytes : undefined;
}

/**
 * The eight groups of an IPv6 address in any spelling; undefined if the text is not an IPv6 address. `URL` gives
 * every address a canonical spelling (https://url.spec.whatwg.org/#concept-ipv6-serializer).
 */
function ipv6GroupsOf(text: string): number[] | undefined {
  const url = /^[0-9a-f:.]+$/.test(text) ? parseUrl(`http://[${text}]`) : undefined;
  if (!url) return undefined;
  const [before = [], after = []] = url.hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [parseInt(group, 16)])));
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** The first six groups of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const mappedStart = '0,0,0,0,0,65535';

/** The network that a rate limit counts an address under. Text that is not an address is returned unchanged. */
export function networkOf(address: string): string {
  const [text = ''] = address.trim().toLowerCase().split('%');
  const ipv4 = ipv4BytesOf(text);
  if (ipv4) return ipv4.join('.');
  const groups = ipv6GroupsOf(text);
  if (!groups) return text;
  if (groups.slice(0, 6).join() === mappedStart)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The network of the caller's address, as the key of a rate limit. */
export const clientAddress = ({ clientIp }: Pick<RequestDeps, 'clientIp'>): string => networkOf(clientIp);

/**
 * A network too large to identify anyone: the first 24 bits of an IPv4 address, or the first 48 bits of an IPv6
 * address; empty for text that is not an address.
 */
export function coarseNetworkOf(address: string): string {
  const network = networkOf(address);
  const ipv4 = ipv4BytesOf(network);
  if (ipv4) return `${ipv4.slice(0, 3).join('.')}.0/24`;
  if (!network.endsWith('::/64')) return '';
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}

/**
 * Fetches a picture for an import. The server makes the request, so an address could reach systems that only the server
 * can reach (SSRF). We therefore fetch only from hosts that the caller listed, over https and by name, and check each
 * redirect like the first address.
 * https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
import { decodePercent } from '#contract/addresses.ts';
import { maxMediaBytes } from '#contract/media.ts';
import { parseUrl } from '#contract/parse-url.ts';
import { readBytes } from '../http/body.ts';
import { ApiError, invalid } from '../http/errors.ts';

const maxRedirects = 3;
const limitMs = 15_000;

/** Names that resolve to machines in a private network. */
const internalName =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|test|invalid|example|arpa|onion)$/;

/** Whether a host is a public domain name. `URL` writes every form of an IPv4 address as four numbers. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !host.startsWith('[') && !/^[\d.]+$/.test(host) && !internalName.test(host);

/** @throws ApiError 422 for an address that we do not fetch */
function checkAddress(address: string, hosts: readonly string[], base?: string): URL {
  const url = parseUrl(address, base);
  const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    throw invalid({ address: 'Pictures are fetched only over https://.' });
  if (!isPublicName(host)) throw invalid({ address: `${host} is not a public address.` });
  if (!hosts.includes(host)) throw invalid({ address: `${host} is not among the sites to fetch from.` });
  return url;
}

const failed = () => invalid({ address: 'There is no picture at this address that can be fetched.' });

const tooLarge = () => invalid({ address: 'This picture is too large: at most 10 MB.' });

/**
 * @param hosts the host names that the caller listed
 * @throws ApiError 422 if the address may not be fetched, or there is no picture
 */
export async function fetchPicture(address: string, hosts: readonly string[]) {
  const signal = AbortSignal.timeout(limitMs);
  let url = checkAddress(address, hosts);
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
    const location = response?.headers.get('Location');
    if (response && location && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      url = checkAddress(location, hosts, url.href);
      continue;
    }
    if (!response?.ok) throw failed();
    const name = decodePercent(url.pathname.split('/').at(-1) ?? '') || 'picture';
    const type = response.headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
    const bytes = await readBytes(response, maxMediaBytes, tooLarge).catch((error: unknown) => {
      throw error instanceof ApiError ? error : failed();
    });
    return { name: name.slice(-200), type, bytes };
  }
  throw failed();
}

import { expect, test } from 'vitest';
import type { PublicContent } from '#contract/sections/index.ts';
import { sharedPicture } from './search-text.ts';

const path = '/media/01a204eb-5fc1-7bf2-8670-5b64fa520972/office-0123456789abcdef01234567.webp';
const content = (home?: string, pricing?: string, banner = '/banner.svg', ofBrand = '') =>
  ({
    searchText: [
      { page: '/', pageImage: home },
      { page: '/pricing/', pageImage: pricing },
    ],
    brand: [{ sharedPicture: ofBrand }],
    banner: [{ imageOne: banner }],
    media: [{ path, alt: 'Our office', width: '1200', height: '630' }],
  }) as unknown as PublicContent;

test('A shared link shows the picture of its page, or otherwise of the brand or the landing page, with its description and size', () => {
  expect(sharedPicture(content('/firm.png', path), '/pricing/')).toMatchObject({
    src: path.replace('.webp', '.jpg'),
    known: { alt: 'Our office', width: '1200' },
  });
  expect(sharedPicture(content('/firm.png', ''), '/pricing/')).toEqual({ src: '/firm.png' });
  expect(sharedPicture(content('/firm.png'), undefined)?.src).toBe('/firm.png');
  expect(sharedPicture(content('', '', '/banner.jpg'), '/')?.src).toBe('/banner.jpg');
  expect(sharedPicture(content('', '', '/banner.jpg'), '/pricing/')).toBeUndefined();
  expect(sharedPicture(content('', '', '/banner.jpg', '/brand.png'), '/')?.src).toBe('/brand.png');
  expect(sharedPicture(content('/home.png', '/own.png', '', '/brand.png'), '/pricing/')?.src).toBe(
    '/own.png',
  );
  expect(sharedPicture(content('/home.png', '', '', '/brand.png'), '/pricing/')?.src).toBe('/brand.png');
  expect(sharedPicture(content(), '/')).toBeUndefined();
  expect(sharedPicture(content('javascript:alert(1)'), '/')).toBeUndefined();
});

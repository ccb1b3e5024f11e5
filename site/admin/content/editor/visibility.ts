/** Checks whether a picture, such as a logo, is visible in a color scheme. */
import { contrastOf, referenceColors, type Scheme } from '#contract/colors.ts';

/** The contrast at which a pixel is visible, and the share of visible pixels that a picture needs. */
const minContrast = 2;
const minShare = 0.6;

/** The background of the header. */
const backgroundOf = (scheme: Scheme): string => referenceColors.surface[scheme === 'light' ? 0 : 1];

/**
 * Whether most of a picture is invisible on a scheme's background. False for an empty picture.
 * @param pixels red, green, blue and alpha of each pixel, from 0 to 255
 */
export function isInvisibleOn(scheme: Scheme, pixels: Uint8ClampedArray): boolean {
  const ground = backgroundOf(scheme);
  let [drawn, seen] = [0, 0];
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const alpha = (pixels[at + 3] ?? 0) / 255;
    const digits = [0, 1, 2].map((channel) => {
      const behind = Number.parseInt(ground.slice(1 + 2 * channel, 3 + 2 * channel), 16);
      const mixed = Math.round((pixels[at + channel] ?? 0) * alpha + behind * (1 - alpha));
      return mixed.toString(16).padStart(2, '0');
    });
    drawn += alpha;
    if (alpha > 0 && contrastOf(`#${digits.join('')}`, ground) >= minContrast) seen += alpha;
  }
  return drawn > 0 && seen / drawn < minShare;
}

/** The size to which a picture is reduced for the check: the longest side, in pixels. */
const checkedSize = 96;

function pixelsOf(image: HTMLImageElement): Uint8ClampedArray | undefined {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, checkedSize / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  const pen = canvas.getContext('2d');
  pen?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pen?.getImageData(0, 0, canvas.width, canvas.height).data;
}

/** Whether an SVG adapts its colors to the scheme. */
const adapts = async (address: string): Promise<boolean> =>
  /\.svg$/i.test(address) && (await (await fetch(address)).text()).includes('prefers-color-scheme');

/**
 * Returns the schemes in which a picture is hardly visible. Pictures from other sites cannot be checked.
 * @param backgrounds the schemes in which the page background is directly behind the picture
 */
export async function schemesWithout(
  image: HTMLImageElement,
  backgrounds: readonly Scheme[],
): Promise<readonly Scheme[]> {
  try {
    const pixels = pixelsOf(image);
    const hidden = backgrounds.filter((scheme) => pixels && isInvisibleOn(scheme, pixels));
    return hidden.length > 0 && (await adapts(image.src)) ? [] : hidden;
  } catch {
    return [];
  }
}

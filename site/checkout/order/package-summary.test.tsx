import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { sectionNamed } from '#contract/sections/index.ts';
import { PackageSummary } from './package-summary.tsx';
import type { Package } from './use-order.ts';

test("The order form shows the firm's name in the name, the terms and the points of a package", () => {
  vi.stubGlobal('document', { querySelector: () => ({ content: 'Acme' }) });
  const texts = Object.keys(sectionNamed('pricingPackage').fields).map((field) => [field, '']);
  const chosen = {
    ...(Object.fromEntries(texts) as Package),
    displayName: '{name} Basic',
    packageTerms: 'Done by {name}',
    packagePointOne: '{name} writes pages',
  };
  const html = renderToStaticMarkup(
    <PackageSummary chosen={chosen} price="499" formerPrice={undefined} coupon={undefined} />,
  );
  vi.unstubAllGlobals();
  for (const text of ['Acme Basic package', 'Done by Acme', 'Acme writes pages'])
    expect(html).toContain(text);
});

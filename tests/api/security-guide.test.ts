/**
 * The guides about security and operations name the test files that prove each rule, and only a few files write
 * unescaped HTML.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '#deploy/settings.ts';

test('Every test file that a guide names exists', () => {
  const files = globSync('{tests,worker,site,deploy,dev}/**/*.{ts,tsx}', { cwd: projectDir });
  const names = new Set(files.map((file) => basename(file)));
  for (const guide of ['security.md', 'operations.md']) {
    const text = readFileSync(join(projectDir, 'docs', guide), 'utf8');
    const named = [...text.matchAll(/`([\w.-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  }
});

test('Text becomes HTML without escaping only in the files listed here', () => {
  const files = globSync('{site,worker}/**/*.{ts,tsx,astro}', { cwd: projectDir });
  const raw =
    /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write|set:html|html: true/;
  const found = files.filter(
    (file) => !file.includes('.test.') && raw.test(readFileSync(join(projectDir, file), 'utf8')),
  );
  expect(found.toSorted()).toEqual([
    'site/layouts/BrandHead.astro',
    'site/layouts/Document.astro',
    'site/layouts/Outdated.astro',
    'site/layouts/PublicPage.astro',
    'site/pages/shell/checkout.astro',
    'site/pages/shell/pay.astro',
    'site/renderer/react-server.ts',
    'site/sections/articles/article.tsx',
    'site/sections/every-page/legal-pages.tsx',
    'worker/editing/preview.ts',
    'worker/inbox/plain-forms.ts',
    'worker/publishing/frames.ts',
    'worker/publishing/serve-screens.ts',
  ]);
});

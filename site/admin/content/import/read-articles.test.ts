import { expect, test, vi } from 'vitest';
import { importArticles, readFiles } from './import-articles.ts';
import { readArticles } from './read-articles.ts';
import { picturesIn, withPictures } from '#contract/rich-text.ts';

test('The front matter of a Markdown file becomes the fields of an article', () => {
  const text = `---
title: "How to count"
date: 2024-03-09T10:00:00Z
description: What counts.
tags: [Reports, 'Counting']
permalink: /blog/how-to-count/
---

# How to count

Text with **bold** words.
`;
  const { articles, left } = readArticles([{ name: 'posts/2024-03-09-counting.md', text }]);
  expect(left).toEqual([]);
  expect(articles[0]?.values).toEqual({
    title: 'How to count',
    slug: 'how-to-count',
    kind: 'guide',
    summary: 'What counts.',
    text: 'Text with **bold** words.',
    author: '',
    publishedOn: '2024-03-09',
    tags: 'Reports, Counting',
  });
});

test('A first heading that differs from the title stays in the text', () => {
  const text = '---\ntitle: A title\n---\n# Another heading\n\nText.';
  const { articles } = readArticles([{ name: 'a.md', text }]);
  expect(articles[0]?.values).toMatchObject({ title: 'A title', text: '# Another heading\n\nText.' });
});

test('A Markdown file that is marked as a draft is skipped', () => {
  const file = (name: string, field: string) => ({ name, text: `---\ntitle: T\n${field}\n---\nText.` });
  const { articles, left } = readArticles([
    file('hugo.md', 'draft: true'),
    file('jekyll.md', 'published: false'),
    file('yaml.md', 'published: no'),
    file('public.md', 'draft: false'),
    file('dated.md', 'published: 2024-03-09'),
    file('2024-03-10-named.md', 'published: true'),
  ]);
  expect(articles.map(({ source, values }) => [source, values['publishedOn']])).toEqual([
    ['public.md', ''],
    ['dated.md', '2024-03-09'],
    ['2024-03-10-named.md', '2024-03-10'],
  ]);
  const why = 'It is marked as a draft.';
  expect(left).toEqual([
    { source: 'hugo.md', why },
    { source: 'jekyll.md', why },
    { source: 'yaml.md', why },
  ]);
});

test('Front matter is parsed as YAML, and a file with invalid front matter is skipped', () => {
  const file = (name: string, head: string) => ({ name, text: `---\n${head}\n---\nText.` });
  const { articles, left } = readArticles([
    file('a.md', 'Title: >-\n  One\n  title\nslug: 1.10\ntags:\n  - A\n  - B\nauthor: { name: x }'),
    file('b.md', 'title: Say: this\n'),
    file('c.md', 'title: C'),
  ]);
  expect(
    articles.map(({ values }) => [values.title, values['slug'], values['tags'], values['author']]),
  ).toEqual([
    ['One title', '1-10', 'A, B', ''],
    ['C', 'c', '', ''],
  ]);
  expect(left).toMatchObject([{ source: 'b.md' }]);
  expect(left[0]?.why).toMatch(/^Its front matter cannot be read: .* at line 2, column \d+\.$/);
});

const fill = (part: string) => part.repeat(Math.ceil(200_000 / part.length));

// In quadratic time, these would never finish.
test.each([
  '<a ',
  '</a',
  '<a b="',
  '<!--',
  '<![CDATA[',
  '<item>',
  '<title>',
  '<category domain="post_tag">',
  '&',
  '<',
  '<b>',
  '<script',
  '<iframe ',
  '[gallery',
])('A long export that repeats %j is read', (part) => {
  expect(readArticles([{ name: 'a.xml', text: fill(part) }]).articles).toEqual([]);
  const { articles, left } = readArticles([{ name: 'a.xml', text: post('A', fill(part)) }]);
  expect(articles.length + left.length).toBeGreaterThan(0);
});

test.each([
  '![',
  '[',
  '[a](',
  '[a](b "',
  '[a](b)',
  '[![a](b)',
  '![](',
  '```\n',
  '[caption',
  '- ',
  '# ',
  '[[',
  '{',
  'a: ',
  '"',
  '&a ',
  '*a ',
  '? ',
  '\n',
  '> ',
  '`',
  '| ',
  '<!--',
  '<a ',
  '{{<',
  '{% ',
  '[a]: b\n',
  '[a][',
])('A long file that only repeats %j is read', (part) => {
  for (const text of [
    fill(part),
    `---\n${fill(part).slice(0, 9_000)}\n---\n`,
    `---\na:\n${fill(`  ${part}\n`).slice(0, 9_000)}\n---\n`,
  ]) {
    const { articles, left } = readArticles([{ name: 'a.md', text }]);
    expect([...articles, ...left].every(({ source }) => source.startsWith('a.md'))).toBe(true);
    expect(articles.length + left.length).toBeGreaterThan(0);
  }
});

test('Without front matter, the title, summary and address come from the heading, the first paragraph and the file name', () => {
  const text = '# A title\n\n## Part\n\nThe *first* [paragraph](/x).';
  const [article] = readArticles([{ name: '2023-01-02-my-post.markdown', text }]).articles;
  expect(article?.values).toMatchObject({
    title: 'A title',
    slug: 'my-post',
    summary: 'The first paragraph.',
    publishedOn: '2023-01-02',
  });
});

const itemOf = (parts: string) => `<item>${parts}</item>`;
const post = (title: string, content: string, more = '') =>
  itemOf(
    `<title>${title}</title><content:encoded><![CDATA[${content}]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded><wp:post_name><![CDATA[a-post]]></wp:post_name><wp:post_date><![CDATA[2022-05-06 07:08:09]]></wp:post_date><wp:status><![CDATA[publish]]></wp:status><wp:post_type><![CDATA[post]]></wp:post_type>${more}`,
  );

test('Published posts and pages of WordPress become articles, and other entries are listed', () => {
  const xml = [
    post(
      'Rates &amp; terms',
      '<!-- wp:heading --><h2>Part</h2><!-- /wp:heading --><p>Some <strong>bold</strong> &#8220;words&#8221;.</p><figure><img src="https://old-site.com/a.png" alt="A map"/></figure><ul><li>One</li><li>Two</li></ul><script>alert(1)</script>',
      '<category domain="category" nicename="x"><![CDATA[Loans]]></category><category domain="category" nicename="y"><![CDATA[Uncategorized]]></category>',
    ),
    post('A draft', 'x').replace('publish]]', 'draft]]'),
    post('A secret', 'x').replace('</wp:status>', '</wp:status><wp:post_password>open</wp:post_password>'),
    post('A menu', 'x').replace('post]]></wp:post_type', 'nav_menu_item]]></wp:post_type'),
    post('Plain', 'First paragraph.\n\nSecond <em>one</em>.')
      .replace('a-post', 'plain')
      .replace('[post]', '[page]'),
  ].join('\n');
  const { articles, left } = readArticles([{ name: 'export.xml', text: `<rss>${xml}</rss>` }]);
  expect(articles.map(({ values }) => values)).toMatchObject([
    {
      title: 'Rates & terms',
      slug: 'a-post',
      publishedOn: '2022-05-06',
      tags: 'Loans',
      summary: 'Some bold “words”.',
      text: '## Part\n\nSome **bold** “words”.\n\n![A map](https://old-site.com/a.png)\n\n- One\n- Two',
    },
    { title: 'Plain', kind: 'page', text: 'First paragraph.\n\nSecond *one*.' },
  ]);
  expect(left.map(({ source }) => source)).toEqual([
    'export.xml: A draft',
    'export.xml: A secret',
    'export.xml: A menu',
  ]);
});

test('A link between two imported files leads to the article, and any other relative link becomes text', () => {
  const first = [
    'See [rates](../b/rates.md#low "Low"), [the *team*](<team.MARKDOWN>), [![a](x.png)](rates), [news](./news/).',
    'Not [a file](plan.pdf), \\[x](plan.pdf), ![a](x.png), `[code](rates.md)`, [site](/pricing/), [web](https://a.example).',
    '```\n[code](rates.md)\n```',
  ];
  const { articles, left } = readArticles([
    { name: 'posts/a/first.md', text: first.join('\n') },
    { name: 'posts/b/rates.md', text: '---\nslug: low-rates\n---\n[Back](../a/first.md)' },
    { name: 'posts/a/team.markdown', text: '---\nkind: page\n---\nWe.' },
    { name: 'old/news.md', text: '---\nslug: a-news\n---\nOld.' },
    { name: 'new/news.md', text: '---\nslug: b-news\n---\nNew.' },
  ]);
  expect(articles[0]?.values.text).toBe(
    [
      'See [rates](/articles/low-rates#low), [the *team*](/team), [![a](x.png)](/articles/low-rates), news.',
      'Not a file, \\[x](plan.pdf), ![a](x.png), `[code](rates.md)`, [site](/pricing/), [web](https://a.example).',
      '```\n[code](rates.md)\n```',
    ].join('\n'),
  );
  expect(articles[1]?.values.text).toBe('[Back](/articles/first)');
  const why = 'The link points to a file that was not imported, so we kept only its text.';
  expect(left).toEqual([
    { source: 'posts/a/first.md', part: 'link to ./news/', why },
    { source: 'posts/a/first.md', part: 'link to plan.pdf', why },
  ]);
});

test('References to imported files become links, and those to other files become text', () => {
  const text = [
    'See [the rates][r], [r], [Old][], ![a][pic] and `[r]`.',
    '```\n[r]: kept.md\n```',
    '[r]: ./rates.md "Low rates"',
    '[old]: ../gone.md',
    '[pic]: <a.png>',
    '[web]: https://a.example',
    '[^1]: note.md',
  ];
  const { articles, left } = readArticles([
    { name: 'first.md', text: text.join('\n') },
    { name: 'rates.md', text: 'Low.' },
    { name: 'broken.md', text: '---\ntitle: T\nsummary: S\n---\n' },
    { name: 'last.md', text: '[Broken](broken.md)' },
  ]);
  expect(articles.map(({ values }) => values.text)).toEqual([
    [
      'See [the rates](/articles/rates), [r](/articles/rates), Old, ![a](a.png) and `[r]`.',
      '```\n[r]: kept.md\n```',
      '[web]: https://a.example',
      '[^1]: note.md',
    ].join('\n'),
    'Low.',
    'Broken',
  ]);
  expect(left.map(({ source, part = '' }) => `${source}, ${part}`)).toEqual([
    'broken.md, ',
    'first.md, link to ../gone.md',
    'last.md, link to broken.md',
  ]);
});

test('Links between the posts of a WordPress export lead to the articles, and other links to the former site', () => {
  const text =
    '<p><a href="https://old.example/2020/two/#low">Two</a>, <a href="/2020/two">two</a>, <a href="http://old.example/?p=3">three</a>, <a href="/about/">about</a>, <a href="#here">here</a>, <a href="mailto:a@old.example">mail</a></p>';
  const from = (title: string, link: string, content: string, name: string) =>
    post(title, content, `<link>${link}</link>`).replace('a-post', name);
  const { articles, left } = readArticles([
    {
      name: 'a.xml',
      text: [
        from('One', 'https://old.example/2020/one/', text, 'one'),
        from('Two', 'https://old.example/2020/two/', 'Text.', 'second'),
        from('Three', 'https://old.example/?p=3', 'Text.', 'three').replace('[post]', '[page]'),
      ].join(''),
    },
  ]);
  expect(articles[0]?.values.text).toBe(
    '[Two](/articles/second#low), [two](/articles/second), [three](/three), [about](https://old.example/about/), [here](#here), [mail](mailto:a@old.example)',
  );
  expect(left).toEqual([]);
});

test('A Markdown file loses its comments, and the report names HTML and shortcodes that would show as text', () => {
  const read = (text: string) => readArticles([{ name: 'a.md', text }]);
  const { articles, left } = read(
    'One.\n\n<!-- more -->\n\n`<b>` <https://a.example> 1 < 2\n\n<iframe src="b"></iframe>',
  );
  expect(articles[0]?.values.text).toBe(
    'One.\n\n`<b>` <https://a.example> 1 < 2\n\n<iframe src="b"></iframe>',
  );
  const why = 'Articles show HTML and shortcodes as text. Replace them before you publish.';
  expect(left).toEqual([{ source: 'a.md', part: '<iframe src="b">', why }]);
  for (const markup of ['[gallery ids="1"]', '{{< youtube id >}}', '{% include a %}', 'a<br/>b'])
    expect(read(`Text ${markup}`).left).toHaveLength(1);
  for (const plain of ['a < b > c', '`<b>`', '[video](https://a.example)', '{{ }}', '<a@b.example>'])
    expect(read(`Text ${plain}`).left).toEqual([]);
});

test('The report names the shortcodes and the embedded media that an article of WordPress loses', () => {
  const content =
    'One.\n\n[gallery ids="1,2"]\n\n[caption id="a"]<img src="https://a.example/a.png"> A[/caption]\n\n[video src="a.mp4"][/video]<p><iframe src="https://video.example/1"></iframe></p>';
  const { articles, left } = readArticles([{ name: 'a.xml', text: post('A', content) }]);
  expect(articles[0]?.values.text).toContain('One.');
  expect(left.map(({ source, part = '', why }) => `${source}, ${part}: ${why}`)).toEqual([
    'a.xml: A, [gallery ids="1,2"]: We left this part out.',
    'a.xml: A, [video src="a.mp4"]: We left this part out.',
    'a.xml: A, iframe https://video.example/1: We left this part out.',
  ]);
});

test('Tags that an article cannot have are left out, and the report names them', () => {
  const text = '---\ntitle: A\ntags: [1, 2, 3, 4, 5, 6, 7, 贷款, 8, 9]\n---\nText.';
  const { articles, left } = readArticles([{ name: 'a.md', text }]);
  expect(articles[0]?.values['tags']).toBe('1, 2, 3, 4, 5, 6, 7, 8');
  expect(left).toEqual([
    { source: 'a.md', part: 'tag 贷款', why: expect.stringContaining('needs a Latin letter') as unknown },
    { source: 'a.md', part: 'tag 9', why: 'An article has at most 8 tags.' },
  ]);
});

test('A WordPress address with a malformed percent sign is kept as it is', () => {
  const xml =
    post('A loan', 'x').replace('a-post', '100%-loan') + post('Café', 'x').replace('a-post', 'caf%c3%a9');
  const { articles } = readArticles([{ name: 'export.xml', text: xml }]);
  expect(articles.map(({ values }) => values['slug'])).toEqual(['100-loan', 'cafe']);
});

test('An entry that cannot become an article is skipped with a reason', () => {
  const { articles, left } = readArticles([
    { name: 'a.txt', text: 'x' },
    { name: 'b.xml', text: '<html></html>' },
    { name: 'c.md', text: '---\ntitle: Empty\n---\n' },
    { name: 'd.md', text: 'One.' },
    { name: 'folder/d.md', text: 'Two.' },
    { name: 'e.md', text: ' \n' },
    { name: 'f.md', text: 'PNG\0' },
  ]);
  expect(articles.map(({ source }) => source)).toEqual(['d.md']);
  expect(left.map(({ source, why }) => `${source}: ${why}`)).toEqual([
    'a.txt: Only .md and .xml files can be imported.',
    'b.xml: It is not a WordPress export file.',
    'e.md: The file is empty.',
    'f.md: This is not a text file.',
    'folder/d.md: Another article has the address d.',
    expect.stringMatching(/^c\.md: .+ is required\.$/),
  ]);
});

test('External pictures are replaced by library pictures, or removed', () => {
  const text =
    'a\n\n![One](https://old-site.com/1.png)\n\n![Two](images/2.png "t")\n\n![Three](/media/x.webp)';
  expect(picturesIn(text)).toEqual(['https://old-site.com/1.png', 'images/2.png']);
  expect(withPictures(text, new Map([['https://old-site.com/1.png', '/media/y.webp']]))).toBe(
    'a\n\n![One](/media/y.webp)\n\n![Three](/media/x.webp)',
  );
});

/** The title of a release with imported articles, after the time of the import. */
const titled = (part = '') =>
  expect.stringMatching(
    new RegExp(`^Imported articles, \\w+ \\d+, \\d{4}, [\\d:]+ [AP]M \\S+${part}$`),
  ) as string;

/** The open releases. One of them has an article with the address `planned`. */
const openReleases = (address: string): Response | undefined => {
  if (address.includes('/releases?')) return Response.json([{ _id: 'open' }]);
  if (!address.endsWith('/release/open')) return undefined;
  const changes = [{ section: 'article', changes: [{ field: 'slug', after: 'planned' }] }];
  return Response.json({ title: 'Spring', changes });
};

test('Articles that are refused, or that are already in an open release, do not start another release', async () => {
  const releases: unknown[] = [];
  vi.stubGlobal('fetch', (address: string, { body = '{}' }: { readonly body?: string }) => {
    const open = openReleases(address);
    if (open) return Promise.resolve(open);
    const { title, values } = JSON.parse(body) as { title?: string; values?: { title: string } };
    if (address.endsWith('/releases')) releases.push(title);
    return Promise.resolve(
      values && values.title !== 'Free'
        ? Response.json({ title: 'Taken', status: 409, detail: 'Taken.' }, { status: 409 })
        : Response.json({ _id: 'r' }, { status: 201 }),
    );
  });
  const files = ['Planned', 'Taken', 'Taken too', 'Free'].map((title) => ({
    name: `${title}.md`,
    text: `---\ntitle: ${title}\nsummary: All about it.\ndate: 2024-03-09\n---\nText.`,
  }));
  const report = await importArticles(files, [], () => undefined);
  vi.unstubAllGlobals();
  expect(report.left.map(({ why }) => why)).toEqual([
    'The release “Spring” already has an article with the address planned.',
    'Taken.',
    'Taken.',
  ]);
  expect([report.count, releases]).toEqual([1, [titled()]]);
});

test('Articles that are too long for one release are split between several', async () => {
  const releases: unknown[] = [];
  vi.stubGlobal('fetch', (address: string, { body = '{}' }: { readonly body?: string }) => {
    const open = openReleases(address);
    if (open) return Promise.resolve(open);
    const { title } = JSON.parse(body) as { title?: string };
    if (address.endsWith('/releases')) releases.push(title);
    return Promise.resolve(Response.json({ _id: 'r' }, { status: 201 }));
  });
  const files = Array.from({ length: 50 }, (_, at) => ({
    name: `${at}.md`,
    text: `---\ntitle: Long ${at}\nsummary: All about it.\ndate: 2024-03-09\n---\n${'Word word. '.repeat(4_000)}`,
  }));
  const report = await importArticles(files, [], () => undefined);
  vi.unstubAllGlobals();
  expect(report.left).toEqual([]);
  expect([report.count, releases]).toEqual([50, [titled(), titled(', part 2')]]);
});

test('A file that cannot be read is skipped, and the others are imported', async () => {
  const gone = new File([], 'gone.md');
  vi.spyOn(gone, 'text').mockRejectedValue(new DOMException('It was removed.', 'NotReadableError'));
  const { read, left } = await readFiles([gone, new File(['Text.'], 'kept.md')]);
  expect(read).toEqual([{ name: 'kept.md', text: 'Text.' }]);
  expect(left).toEqual([{ source: 'gone.md', why: 'This file could not be read. Please choose it again.' }]);
});

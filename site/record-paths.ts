/** The paths of the record pages that the static build renders. The Worker passes its own paths to the renderer. */
import { isRecordPath, recordPages } from '#contract/articles.ts';
import { linkTo } from '#contract/screens.ts';

const folderOf = (path: string): string => linkTo(path.startsWith(linkTo('articles')) ? 'articles' : 'home');

/** @param folder the path of the articles, or of the pages at the top level of the site */
export async function recordPathsBelow(folder: string) {
  if (!import.meta.env.STATIC_BUILD) return [];
  const { readBuildContent } = await import('./build-content.ts');
  const { article } = await readBuildContent();
  return [...recordPages(article).keys()]
    .filter((path) => isRecordPath(path) && folderOf(path) === folder)
    .map((path) => ({ params: { path: path.slice(folder.length) } }));
}

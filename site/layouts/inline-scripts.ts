/**
 * The scripts that stand in the pages themselves. Each is one line of text, because every visitor waits for its bytes
 * before the first paint (`npm run bench -- bytes`).
 */

/**
 * Reads the cookie `signed-in=customer|admin`, which opens nothing and only chooses links, so that the right ones are
 * there at first paint without a call.
 */
export const showWhoIsSignedIn =
  "{const who=/\\bsigned-in=(\\w+)/.exec(document.cookie);if(who)document.documentElement.dataset['signedIn']=who[1]}";

/**
 * Keeps where a visit began (`#contract/source.ts`): the first page, the referrer's host, and the `utm_` words. Nothing
 * else of the address, which may hold secrets.
 */
export const keepSource =
  "try{sessionStorage.from??=JSON.stringify([location.pathname,document.referrer.split('/')[2],...[...new URLSearchParams(location.search)].filter(([name])=>/^utm_/.test(name))])}catch{}";

/** Closes the menu when one of its links leads to a place on the page that is open. */
export const closeMenuOnUse =
  "document.getElementById('menu')?.addEventListener('click',function(){this.hidePopover()})";

/**
 * Shows what the shell has for a screen that failed (Outdated.astro): Astro tells of an island whose file does not load,
 * after it has tried twice; the island of what fails in it. The skip link leads there where there is no other main part.
 */
export const offerReload =
  "for(const name of['astro:hydration-error','screen-failed'])addEventListener(name,()=>{const notice=document.getElementById('outdated');notice.hidden=false;document.getElementById('main')||(notice.id='main')})";

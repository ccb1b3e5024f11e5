/**
 * The scripts that stand in the pages themselves. Each is one line of text, because every visitor waits for its bytes
 * before the first paint (`npm run bench -- bytes`).
 */

/**
 * Reads the cookie `signed-in=customer|admin`, which opens nothing and only chooses links, so that the right ones are
 * there at first paint without a call. It runs again where the browser shows a page as it was left, by Back or Forward:
 * somebody may have signed in or out since. The attribute is empty for a visitor.
 */
export const showWhoIsSignedIn =
  '(onpageshow=()=>{document.documentElement.dataset.signedIn=/(?<=signed-in=)\\w+|$/.exec(document.cookie)})()';

/**
 * Keeps where a visit began, in this tab alone: its first address and the address that led there. What of it is sent with
 * a message or an order, `readSource` says (`#contract/source.ts`).
 */
export const keepSource = "try{sessionStorage.from??=location+' '+document.referrer}catch{}";

/** Closes the menu when one of its links leads to a place on the page that is open. */
export const closeMenuOnUse = 'menu.onclick=()=>menu.hidePopover()';

/**
 * Shows what the shell has for a screen that failed (Outdated.astro): Astro tells of an island whose file does not load,
 * after it has tried twice; the island of what fails in it. The skip link leads there where there is no other main part.
 */
export const offerReload =
  "for(const name of['astro:hydration-error','screen-failed'])addEventListener(name,()=>{const notice=document.getElementById('outdated');notice.hidden=false;document.getElementById('main')||(notice.id='main')})";

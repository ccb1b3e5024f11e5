/** The inline scripts of pages. Every visitor waits for their bytes (`npm run bench -- bytes`). */

/**
 * Reads the cookie `signed-in=customer|admin`, which grants no access. It only selects the right links before the first
 * paint, without a request. The script runs again when the browser restores a page by Back or Forward, because the user
 * may have signed in or out in the meantime. For a visitor, the attribute is empty.
 */
export const showWhoIsSignedIn =
  '(onpageshow=()=>{document.documentElement.dataset.signedIn=/(?<=signed-in=)\\w+|$/.exec(document.cookie)})()';

/**
 * Stores where a visit started, only in this tab: the first URL and the referrer. `readSource` (`#contract/source.ts`)
 * decides what a message or an order includes.
 */
export const keepSource = "try{sessionStorage.from??=location+' '+document.referrer}catch{}";

/**
 * Closes the menu when one of its links is followed, because the link may point to a place on the same page.
 * Browsers make each element with an id a global variable, so `menu` is the element of navbar.tsx.
 */
export const closeMenuOnUse = 'menu.onclick=()=>menu.hidePopover()';

/**
 * Shows the message for a failed screen (Outdated.astro). Astro reports an island whose file did not load after two
 * attempts. The island reports its own errors. The skip link then points to the message if the page has no other main
 * element.
 */
export const offerReload =
  "for(const name of['astro:hydration-error','screen-failed'])addEventListener(name,()=>{const notice=document.getElementById('outdated');notice.hidden=false;document.getElementById('main')||(notice.id='main')})";

/** The names of packages that people read. */
import { displayNameOf } from '#contract/packages.ts';
import { useCall } from '#site/app/query.ts';

/** Returns a function from a package's name to the name that people read. Until loaded, it returns the name itself. */
export function usePackageTitle(): (name: string) => string {
  const { data: packages = [] } = useCall('GET /pricings');
  return (name) => {
    const found = packages.find(({ packageName }) => packageName === name);
    return found ? displayNameOf(found) : name;
  };
}

/** The settings hub: every section of the site, the specification's ten first, and the settings beside them. */
import { withoutSlash } from '#contract/route-pattern.ts';
import { Card, CardGrid } from '#site/ui/card.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { offers } from '../shell/role.ts';
import { homes } from './section-homes.ts';

export default function Settings() {
  return (
    <ScreenFrame
      title="Site content"
      intro="Every part of the site that you can edit. A save is live within seconds, and every version is kept."
    >
      <CardGrid>
        {homes
          .filter(({ ability }) => offers(ability))
          .map(({ path, title, about }) => (
            <Card key={path} title={title} href={withoutSlash(path)}>
              <p>{about}</p>
            </Card>
          ))}
      </CardGrid>
    </ScreenFrame>
  );
}

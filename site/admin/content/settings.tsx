/** The settings hub: the ten cards of the specification, the other sections by page, and other settings. */
import { groupBy } from '#contract/group-by.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { Card, CardGrid } from '#site/ui/card.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { offers } from '../shell/role.ts';
import { homes, type Home } from './section-homes.ts';
import { cluster, columns, stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import wholeLink from '#site/ui/whole-link.module.css';
import css from './settings.module.css';

export default function Settings() {
  const offered = homes.filter(({ ability }) => offers(ability));
  const groups = groupBy(
    offered.filter(({ group }) => group !== undefined),
    ({ group }) => group,
  );
  return (
    <ScreenFrame
      title="Site content"
      intro="Every part of the site that you can edit. A save is live within seconds, and every version is kept."
    >
      <CardGrid>
        {offered
          .filter(({ group }) => group === undefined)
          .map(({ path, title, about }) => (
            <Card key={path} title={title} href={withoutSlash(path)}>
              <p>{about}</p>
            </Card>
          ))}
      </CardGrid>
      <div className={columns(5, css['groups'])}>
        {Array.from(groups, ([group, ofGroup]) => (
          <section key={group}>
            <h2 className={css['heading']}>{group}</h2>
            <ul className={stack(0)}>
              {ofGroup.map((home) => (
                <Row key={home.path} {...home} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </ScreenFrame>
  );
}

const Row = ({ path, title, about }: Home) => (
  <li className={cluster([0, 3], css['row'])}>
    <h3 className={classNames(wholeLink['title'], 'subheading', css['title'])}>
      <a href={withoutSlash(path)}>{title}</a>
    </h3>
    <p className={classNames('note', css['about'])}>{about}</p>
  </li>
);

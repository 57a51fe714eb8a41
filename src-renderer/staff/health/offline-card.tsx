/** What works without a network and what waits for it, in plain words. */
import { Text } from '../../messages/text.tsx';

const can = ['offline.can.taps', 'offline.can.pages', 'offline.can.exports', 'offline.can.setup'] as const;
const cannot = [
  ...([
    'offline.cannot.delivery',
    'offline.cannot.late',
    'offline.cannot.forget',
    'offline.cannot.key',
  ] as const),
] as const;

/** The card. */
export function OfflineCard() {
  return (
    <section className="staff-card offline-card" id="offline">
      <h2>
        <Text id="offline.title" />
      </h2>
      <div className="offline-sides">
        <div>
          <h3>
            <Text id="offline.can" />
          </h3>
          <ul className="checks">
            {can.map((id) => (
              <li key={id} data-ok={true}>
                <Text id={id} />
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>
            <Text id="offline.cannot" />
          </h3>
          <ul className="checks">
            {cannot.map((id) => (
              <li key={id} data-ok={false}>
                <Text id={id} />
              </li>
            ))}
          </ul>
        </div>
      </div>
      <p className="setup-hint">
        <Text id="offline.first" />
      </p>
    </section>
  );
}

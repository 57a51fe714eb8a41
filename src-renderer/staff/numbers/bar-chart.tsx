/**
 * Bars with their values beside them, and the table of the same values.
 *
 * Invariants:
 * - There is no legend and no axis: every bar has its own label and number.
 * - The longest bar is the scale. The table has the same values as the chart.
 * - A bar that counts people links to their list.
 */
import type { ReactNode } from 'react';
import { Text, useText } from '../../messages/text.tsx';

export type Bar = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** How many of them are hot, shown as the highlighted part of the bar. Absent if hot leads are not counted. */
  readonly hot?: number;
  /** Address of the list of these people. Absent for a number without people, such as a target. */
  readonly href?: string;
};

type ChartProps = {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** A control beside the title. */
  readonly children?: ReactNode;
};

/** Horizontal bars, one below the other: for named values. */
export function BarList({ title, unit, bars, children }: ChartProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className="chart">
      <Head title={title}>{children}</Head>
      {bars.length === 0 ? (
        <p className="chart-none">
          <Text id="numbers.none" />
        </p>
      ) : (
        <ul className="bars">
          {bars.map((bar) => (
            <li key={bar.key}>
              {bar.href === undefined ? (
                <span className="bar-line">
                  <BarLine bar={bar} most={most} />
                </span>
              ) : (
                <a className="bar-line" href={bar.href}>
                  <BarLine bar={bar} most={most} />
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <Table title={title} unit={unit} bars={bars} />
    </figure>
  );
}

function BarLine({ bar: { label, value, hot }, most }: { readonly bar: Bar; readonly most: number }) {
  const row = 30;
  const widthOf = (part: number) => Math.max((part / most) * 100, part > 0 ? 1 : 0);
  return (
    <>
      <bdi className="bar-label">{label}</bdi>
      <svg className="bar" viewBox={`0 0 100 ${row}`} preserveAspectRatio="none" aria-hidden="true">
        <rect width={widthOf(value)} height={row} />
        <rect width={widthOf(hot ?? 0)} height={row} data-strong="true" />
      </svg>
      <span className="bar-value">
        <Text id="firstSync.count" values={{ count: value }} />
      </span>
      {hot === undefined ? null : (
        <span className="bar-hot">
          <Text id="numbers.ofHot" values={{ count: hot }} />
        </span>
      )}
    </>
  );
}

/** A hot part of this height has room for its number. */
const roomForNumber = 34;

/** Columns side by side: for values over time. */
export function BarColumns({ title, unit, bars, children }: ChartProps) {
  const text = useText();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const [width, height, gap] = [1000, 260, 0.22];
  const step = width / Math.max(bars.length, 1);
  return (
    <figure className="chart chart-wide">
      <Head title={title}>{children}</Head>
      {bars.length === 0 ? (
        <p className="chart-none">
          <Text id="numbers.none" />
        </p>
      ) : (
        <svg className="columns" viewBox={`0 0 ${width} ${height + 78}`}>
          <title>{title}</title>
          {bars.map(({ key, label, value, hot = 0, href }, index) => {
            const heightOf = (part: number) => Math.max((part / most) * height, part > 0 ? 2 : 0);
            const [tall, hotTall] = [heightOf(value), heightOf(hot)];
            const place = { x: index * step + (step * gap) / 2, width: step * (1 - gap), rx: 5 };
            const middle = index * step + step / 2;
            const column = (
              <>
                <rect {...place} y={height - tall + 36} height={tall} />
                <rect {...place} y={height - hotTall + 36} height={hotTall} data-strong="true" />
                {value > 0 ? (
                  <text className="column-value" x={middle} y={height - tall + 26}>
                    {text('firstSync.count', { count: value })}
                  </text>
                ) : null}
                {hotTall >= roomForNumber ? (
                  <text className="column-hot" x={middle} y={height - hotTall + 64}>
                    {text('firstSync.count', { count: hot })}
                  </text>
                ) : null}
                <text className="column-label" x={middle} y={height + 68}>
                  {label}
                </text>
              </>
            );
            return value > 0 ? (
              <a key={key} href={href}>
                <title>{text('numbers.column', { label, count: value, hot })}</title>
                <rect className="column-target" x={index * step} y={0} width={step} height={height + 78} />
                {column}
              </a>
            ) : (
              <g key={key}>{column}</g>
            );
          })}
        </svg>
      )}
      <Table title={title} unit={unit} bars={bars} />
    </figure>
  );
}

function Head({ title, children }: Pick<ChartProps, 'title' | 'children'>) {
  return (
    <div className="chart-head">
      <figcaption>{title}</figcaption>
      {children}
    </div>
  );
}

function Table({ title, unit, bars }: ChartProps) {
  if (bars.length === 0) return null;
  const countsHot = bars.some(({ hot }) => hot !== undefined);
  return (
    <details className="chart-table">
      <summary>
        <Text id="numbers.table" />
      </summary>
      <table>
        <caption className="only-heard">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{unit}</th>
            {countsHot ? (
              <th scope="col">
                <Text id="numbers.hot" />
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ key, label, value, hot }) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{label}</bdi>
              </th>
              <td>
                <Text id="firstSync.count" values={{ count: value }} />
              </td>
              {countsHot ? (
                <td>{hot === undefined ? null : <Text id="firstSync.count" values={{ count: hot }} />}</td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

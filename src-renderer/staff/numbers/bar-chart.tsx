/**
 * Bars with their values beside them, and the table they are drawn from.
 *
 * Invariants:
 * - No legend and no axis: every bar has its own words and number.
 * - The longest bar is the scale. The table says the same as the picture.
 */
import type { ReactNode } from 'react';
import { Text } from '../../messages/text.tsx';

export type Bar = {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** Whether it is the highlighted bar. */
  readonly strong?: boolean;
};

type ChartProps = { readonly title: string; readonly unit: string; readonly bars: readonly Bar[] };

/** Horizontal bars, one below the other: for named values. */
export function BarList({ title, unit, bars }: ChartProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const row = 30;
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      {bars.length === 0 ? (
        <p className="chart-none">
          <Text id="numbers.none" />
        </p>
      ) : (
        <ul className="bars">
          {bars.map(({ key, label, value, strong }) => (
            <li key={key}>
              <bdi className="bar-label">{label}</bdi>
              <svg className="bar" viewBox={`0 0 100 ${row}`} preserveAspectRatio="none" aria-hidden="true">
                <rect
                  width={Math.max((value / most) * 100, value > 0 ? 1 : 0)}
                  height={row}
                  data-strong={strong}
                />
              </svg>
              <span className="bar-value">
                <Text id="firstSync.count" values={{ count: value }} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Table title={title} unit={unit} bars={bars} />
    </figure>
  );
}

/** Columns side by side: for values over time; `children`: a control that selects the part shown. */
export function BarColumns({ title, unit, bars, children }: ChartProps & { readonly children?: ReactNode }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const [width, height, gap] = [1000, 260, 0.22];
  const step = width / Math.max(bars.length, 1);
  return (
    <figure className="chart chart-wide">
      <div className="chart-head">
        <figcaption>{title}</figcaption>
        {children}
      </div>
      {bars.length === 0 ? (
        <p className="chart-none">
          <Text id="numbers.none" />
        </p>
      ) : (
        <svg className="columns" viewBox={`0 0 ${width} ${height + 78}`} role="img" aria-label={title}>
          {bars.map(({ key, label, value, strong }, index) => {
            const tall = (value / most) * height;
            const middle = index * step + step / 2;
            return (
              <g key={key} data-strong={strong}>
                <rect
                  x={index * step + (step * gap) / 2}
                  y={height - tall + 36}
                  width={step * (1 - gap)}
                  height={Math.max(tall, value > 0 ? 2 : 0)}
                  rx="5"
                />
                {value > 0 ? (
                  <text className="column-value" x={middle} y={height - tall + 26}>
                    {value}
                  </text>
                ) : null}
                <text className="column-label" x={middle} y={height + 68}>
                  {label}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      <Table title={title} unit={unit} bars={bars} />
    </figure>
  );
}

function Table({ title, unit, bars }: ChartProps) {
  if (bars.length === 0) return null;
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
          </tr>
        </thead>
        <tbody>
          {bars.map(({ key, label, value }) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{label}</bdi>
              </th>
              <td>
                <Text id="firstSync.count" values={{ count: value }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The result of one step of a rehearsal, in words. */
import type { RehearsalStep } from '../../../src-main/contract/rehearsal.ts';
import { Text } from '../../messages/text.tsx';

/** Shows the state, whether the fault was simulated, the duration and the reason. */
export function StepState({ step }: { readonly step: RehearsalStep }) {
  const { state, simulated, why, reason, tookMs } = step;
  return (
    <span className="rehearsal-state" data-state={state}>
      <em>
        <Text id="rehearsal.state" values={{ kind: state }} />
      </em>
      {simulated ? (
        <>
          {' '}
          · <Text id="rehearsal.simulated" />
        </>
      ) : null}
      {tookMs === null ? null : (
        <>
          {' '}
          · <Text id="rehearsal.took" values={{ seconds: Math.max(1, Math.round(tookMs / 1_000)) }} />
        </>
      )}
      {why === null ? null : (
        <>
          {' '}
          · <Text id="rehearsal.why" values={{ kind: why }} />
        </>
      )}
      {reason === null ? null : (
        <>
          {' '}
          · <bdi>{reason}</bdi>
        </>
      )}
    </span>
  );
}

/** The sound of each view. Pure. */
import type { Sound } from '../../sound/sound-player.ts';
import type { View } from '../state/view.ts';

/** The sound of a view, or null. */
export function soundOf(view: View): Sound | null {
  switch (view.kind) {
    case 'captured':
      if (view.event.checkin) return view.event.checkin.result;
      return view.event.repeat && !view.event.collected ? 'again' : 'captured';
    case 'notRead':
      return 'longer';
    case 'notAdmitted':
    case 'refused':
    case 'failed':
    case 'undone':
      return view.kind;
    default:
      return null;
  }
}

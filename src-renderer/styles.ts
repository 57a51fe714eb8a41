/**
 * Every style sheet of the screens, in cascade order; each one is beside its component.
 *
 * Invariant: the order matters. With equal specificity the later sheet wins: general parts come first, then single
 * screens, comfort last.
 */
import '@fontsource-variable/figtree/wght.css';
import './theme/tokens.css';
import './theme/ground.css';
import './theme/base.css';
import './visitor/screen/screen.css';
import './widgets/controls.css';
import './visitor/screen/header.css';
import './widgets/countdown.css';
import './visitor/input/typed-code.css';
import './visitor/input/demo-tray.css';
import './visitor/session/session.css';
import './visitor/notice/notice.css';
import './visitor/session/answers.css';
import './visitor/content/content.css';
import './visitor/outcome/outcome.css';
import './visitor/input/keyboard.css';
import './visitor/ring/ring.css';
import './visitor/ring/ring-motion.css';
import './visitor/attract/attract.css';
import './visitor/camera/camera.css';
import './staff/parts/rail.css';
import './staff/staff.css';
import './staff/parts/sum.css';
import './staff/commands/commands.css';
import './staff/list/list.css';
import './staff/hot-rule/hot-rule.css';
import './staff/lead/lead.css';
import './staff/media/media.css';
import './staff/delivery/delivery.css';
import './staff/companies/companies.css';
import './staff/destinations/destinations.css';
import './staff/numbers/numbers.css';
import './staff/worklist/worklist.css';
import './staff/handover/handover.css';
import './staff/sheet/sheet.css';
import './widgets/pin-field.css';
import './staff/entry/entry.css';
import './staff/setup/setup.css';
import './staff/about/about.css';
import './staff/health/health.css';
import './staff/rehearsal/rehearsal.css';
import './phone/phone.css';
import './staff/print.css';
import './visitor/comfort/comfort-switch.css';
import './visitor/comfort/comfort.css';
import './visitor/comfort/low-reach.css';
import './visitor/comfort/low-steps.css';
import './visitor/comfort/reflow.css';
import './visitor/comfort/reflow-steps.css';
import './theme/forced-colors.css';

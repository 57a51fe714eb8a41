/** A check box with its words: the whole line is the control. */

type CheckFieldProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
};

/** The field. */
export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return (
    <label className="setup-check">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <span className="setup-mark" aria-hidden="true" />
      <span>{label}</span>
    </label>
  );
}

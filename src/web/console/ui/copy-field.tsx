import { CopyButton } from './copy-button.tsx'
import './copy-field.css'

/** A value to copy: a key, an address, a password. */
export function CopyField({
  label,
  value,
  isLong = false,
}: {
  readonly label: string
  readonly value: string
  /** Several lines. */
  readonly isLong?: boolean
}) {
  return (
    <div className="ui-copy">
      <p className="ui-label">{label}</p>
      <div className="ui-copy-box">
        <code className={isLong ? 'ui-copy-long' : 'ui-copy-value'}>{value}</code>
        <CopyButton text={value} name={label} size="s" look="quiet" />
      </div>
    </div>
  )
}

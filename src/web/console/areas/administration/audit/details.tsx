import { useFormats } from '../../../i18n/format.ts'
import { useFieldNames } from '../configuration/form/field-names.ts'
import { textOf, useDeadLetterTexts, useEventTexts } from '../dead-letters/texts.ts'
import type { AuditEntry } from './entries.ts'
import { useAuditTexts, useDetailTexts } from './texts.ts'
import { useValueTexts } from './value-texts.ts'

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
/** The log has names in capitals where the API has an enumeration. */
export const isConstant = /^[A-Z_]+$/

/** What a person can read of an entry: no IDs. */
export function Details({ entry: { action, targetId, details } }: { readonly entry: AuditEntry }) {
  const names = useDetailTexts()
  const valueOf = useValues()
  // Of a changed member the log has a flag for each part.
  const isFlagged = action === 'member.updated'
  const shown = details.flatMap(({ name, value }) =>
    value === null || value === '' || isId.test(value) || (isFlagged && value === 'false') ? [] : [{ name, value }],
  )
  if (shown.length === 0) return null
  return (
    <dl className="admin-details">
      {shown.map(({ name, value }) => (
        <div key={name}>
          <dt>{textOf(names, name)}</dt>
          <dd>{name === 'fields' && targetId !== null ? <Fields section={targetId} fields={value} /> : valueOf(value, { isFlagged })}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Moments, answers and names of the API as people read them. */
function useValues(): (value: string, entry: { readonly isFlagged: boolean }) => string {
  const texts = useAuditTexts()
  const values = useValueTexts()
  const events = useEventTexts()
  const reasons = useDeadLetterTexts()
  const { time } = useFormats()
  return (value, { isFlagged }) => {
    if (isMoment.test(value)) return time(value)
    if (value === 'true') return isFlagged ? texts.changed : texts.yes
    if (value === 'false') return texts.no
    return isConstant.test(value) ? textOf({ ...reasons, ...values }, value) : textOf(events, value)
  }
}

/** The changed fields of a section, by the names that they have in its form. */
function Fields({ section, fields }: { readonly section: string; readonly fields: string }) {
  const { label } = useFieldNames(section)
  return fields
    .split(', ')
    .map((path) => label(path.split('.')))
    .join(', ')
}

import type { SectionName } from '../../ports/configuration/configuration.ts'
import { type DocumentValues, valueAt } from './document-values.ts'

/** Fields that a stored document may still have, though its section has them no more. */
const formerFields: { readonly [Name in SectionName]?: readonly string[] } = { widget: ['hospitalName'] }

/** The values as the section knows them today. */
export function withoutFormerFields(section: SectionName, values: DocumentValues): DocumentValues {
  const former = formerFields[section]
  return former ? Object.fromEntries(Object.entries(values).filter(([field]) => !former.includes(field))) : values
}

/** The hospital's name that widgets had before it moved to the theme. */
export function formerHospitalName(widget: DocumentValues): string | null {
  const name = valueAt(widget, ['hospitalName'])
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null
}

import { amount, flag, label, labels, line } from './field.ts'
import { recordType } from './record.ts'

/** A doctor whom patients visit. */
export const doctorRecord = recordType({
  singular: 'doctor',
  icon: 'IconStethoscope',
  columns: ['name', 'speciality', 'clinic', 'languages', 'fee', 'active'],
  fields: {
    name: {
      ...line,
      types: ['TEXT', 'FULL_NAME'],
      value: line.value.transform((name) => name ?? 'Doctor'),
      description: 'Name of the doctor',
    },
    speciality: { ...label, description: 'Field of medicine' },
    clinic: { ...label, types: ['TEXT', 'SELECT', 'RELATION'], description: 'Where the doctor sees patients' },
    languages: { ...labels, description: 'Languages that the doctor speaks' },
    fee: { ...amount, description: 'Price of a visit, in the currency of the workspace' },
    active: { ...flag, value: flag.value.transform((active) => active ?? true), description: 'Whether patients may be sent there' },
  },
})

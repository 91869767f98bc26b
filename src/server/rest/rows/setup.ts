import { SetupStateDocument } from '../generated.ts'
import { row } from '../row.ts'

export const setupRows = [
  row(SetupStateDocument, { method: 'GET', path: '/api/config/setup-state', summary: 'How far the setup wizard is' }),
]

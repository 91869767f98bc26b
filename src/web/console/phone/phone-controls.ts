import { useStore } from '../state/store.ts'
import { phoneCommands, type PhoneCommands, usePhone } from './phone-state.ts'

/** What the softphone of this tab can do with the call that it has. Null: it has none. */
export function usePhoneControls(): PhoneCommands | null {
  const commands = useStore(phoneCommands)
  const { call } = usePhone()
  return call ? commands : null
}

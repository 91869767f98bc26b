import type { CountryCode } from '../../../kernel/phone.ts'
import type { Ports } from '../../../ports/ports.ts'
import { assertOpen } from '../assert-open.ts'

/** What the assistant knows about the workspace. */
export type WorkspaceProfile = {
  readonly hospitalName: string | null
  readonly timeZone: string
  readonly country: CountryCode
  readonly bookingEnabled: boolean
}

/** From the current configuration. Throws WRONG_STATE if the widget is switched off. */
export async function readWorkspaceProfile(ports: Pick<Ports, 'configuration'>, workspaceId: string): Promise<WorkspaceProfile> {
  const { configuration } = ports
  await assertOpen(ports, workspaceId, 'WIDGET')
  const [theme, { visits }, telephony, { bookingEnabled }] = await Promise.all([
    configuration.read(workspaceId, 'theme'),
    configuration.read(workspaceId, 'platform'),
    configuration.read(workspaceId, 'telephony'),
    configuration.read(workspaceId, 'widget'),
  ])
  const { hospitalName } = theme.brand
  return { hospitalName, timeZone: visits.timeZone, country: telephony.defaultCountry, bookingEnabled }
}

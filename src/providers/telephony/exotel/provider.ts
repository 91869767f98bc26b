import { outboundDeadlineMs } from '../../../ports/outbound-telephony.ts'
import type { TelephonyCapability } from '../../../ports/telephony.ts'
import type { TelephonyProvider } from '../provider.ts'
import { endedCallMethod } from './call-details.ts'
import { dialMethod } from './dial.ts'
import { recordingMethod } from './recording.ts'
import { exotelSettings } from './settings.ts'
import { readStatus } from './status.ts'

/** Version 1 of its API can neither hold, mute, transfer nor end a call, and it has no dispositions. */
const capabilities: ReadonlySet<TelephonyCapability> = new Set(['DIAL', 'WEBHOOKS'])

/** The outbound calls provider Exotel. */
export const exotel: TelephonyProvider<typeof exotelSettings> = {
  id: 'exotel',
  title: 'Exotel',
  settings: exotelSettings,
  createOutbound: (settings, { deadlineMs = outboundDeadlineMs, dispatcher, defaultCountry }) => ({
    capabilities,
    dial: dialMethod(settings, { deadlineMs, dispatcher }),
    endedCall: endedCallMethod(settings, { deadlineMs, dispatcher, defaultCountry }),
    recording: recordingMethod(settings, { deadlineMs, dispatcher }),
  }),
  createWebhooks: (_settings, { defaultCountry }) => ({ read: (body, contentType) => readStatus(body, contentType, defaultCountry) }),
}

import { outboundDeadlineMs } from '../../../ports/outbound-telephony.ts'
import type { OutboundProvider } from '../provider.ts'
import { dialMethod } from './dial.ts'
import { recordingMethod } from './recording.ts'
import { exotelSettings } from './settings.ts'
import { readStatus } from './status.ts'

/** The outbound calls provider Exotel. */
export const exotel: OutboundProvider<typeof exotelSettings> = {
  id: 'exotel',
  title: 'Exotel',
  settings: exotelSettings,
  create: (settings, { deadlineMs = outboundDeadlineMs, dispatcher }) => ({
    dial: dialMethod(settings, { deadlineMs, dispatcher }),
    recording: recordingMethod(settings, { deadlineMs, dispatcher }),
  }),
  createCallbacks: (_settings, { defaultCountry }) => ({ read: (body, contentType) => readStatus(body, contentType, defaultCountry) }),
}

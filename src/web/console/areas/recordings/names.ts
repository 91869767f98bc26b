import type { EnumOf } from '../../data/graphql.ts'
import { keysOf } from '../../data/keys.ts'
import { defineTexts } from '../../i18n/texts.ts'
import type { Tone } from '../../ui/badge.tsx'

/** What the service's values are called. */
export const useNames = defineTexts({
  en: {
    APPOINTMENT_BOOKED: 'Visit booked',
    APPOINTMENT_MOVED: 'Visit moved',
    APPOINTMENT_CANCELLED: 'Visit cancelled',
    INFORMATION_GIVEN: 'Question answered',
    CALLBACK_SCHEDULED: 'Callback agreed',
    COMPLAINT_TAKEN: 'Complaint',
    PAYMENT_ARRANGED: 'Payment agreed',
    WRONG_NUMBER: 'Wrong number',
    NOT_RESOLVED: 'Not resolved',
    OTHER: 'Something else',
    MET: 'Met',
    BROKEN: 'Broken',
    NOT_APPLICABLE: 'Does not apply',
    POSITIVE: 'Positive',
    NEUTRAL: 'Neutral',
    NEGATIVE: 'Negative',
    AGENT: 'Agent',
    CUSTOMER: 'Customer',
    UNKNOWN: 'Speaker',
    INBOUND: 'Incoming',
    OUTBOUND: 'Outgoing',
  },
  hi: {
    APPOINTMENT_BOOKED: 'विज़िट बुक हुई',
    APPOINTMENT_MOVED: 'विज़िट का समय बदला',
    APPOINTMENT_CANCELLED: 'विज़िट रद्द हुई',
    INFORMATION_GIVEN: 'जानकारी दी गई',
    CALLBACK_SCHEDULED: 'कॉलबैक तय हुआ',
    COMPLAINT_TAKEN: 'शिकायत',
    PAYMENT_ARRANGED: 'भुगतान तय हुआ',
    WRONG_NUMBER: 'गलत नंबर',
    NOT_RESOLVED: 'हल नहीं हुआ',
    OTHER: 'कुछ और',
    MET: 'पूरा',
    BROKEN: 'टूटा',
    NOT_APPLICABLE: 'लागू नहीं',
    POSITIVE: 'सकारात्मक',
    NEUTRAL: 'सामान्य',
    NEGATIVE: 'नकारात्मक',
    AGENT: 'एजेंट',
    CUSTOMER: 'ग्राहक',
    UNKNOWN: 'वक्ता',
    INBOUND: 'आई हुई कॉल',
    OUTBOUND: 'की गई कॉल',
  },
})

export type Outcome = EnumOf<'RecordingOutcomeCode'>
export type Verdict = EnumOf<'RecordingVerdict'>
export type Feeling = EnumOf<'RecordingFeelingName'>

export const verdictTone: Readonly<Record<Verdict, Tone>> = { MET: 'good', BROKEN: 'bad', NOT_APPLICABLE: 'neutral' }
export const feelingTone: Readonly<Record<Feeling, Tone>> = { POSITIVE: 'good', NEUTRAL: 'neutral', NEGATIVE: 'bad' }
export const outcomeTone: Readonly<Record<Outcome, Tone>> = {
  APPOINTMENT_BOOKED: 'good',
  APPOINTMENT_MOVED: 'info',
  APPOINTMENT_CANCELLED: 'warn',
  INFORMATION_GIVEN: 'info',
  CALLBACK_SCHEDULED: 'info',
  COMPLAINT_TAKEN: 'bad',
  PAYMENT_ARRANGED: 'good',
  WRONG_NUMBER: 'neutral',
  NOT_RESOLVED: 'warn',
  OTHER: 'neutral',
}

export const verdicts = keysOf(verdictTone)
export const feelings = keysOf(feelingTone)
export const outcomes = keysOf(outcomeTone)

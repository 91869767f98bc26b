import type { EnumOf } from '../../../data/graphql.ts'
import { defineTexts } from '../../../i18n/texts.ts'

type Value = EnumOf<'TeamRole' | 'AgentStateChoice' | 'RecordingVerdict' | 'WorklistOutcome' | 'AlertKind'>

/** Values of facts that the API writes in capitals. */
export const useValueTexts = defineTexts({
  en: {
    MANAGER: 'Manager',
    USER: 'Member',
    READY: 'Ready',
    NOT_READY: 'Not ready',
    MET: 'Met',
    BROKEN: 'Broken',
    NOT_APPLICABLE: 'Does not apply',
    REACHED: 'Reached',
    NOT_NEEDED: 'No call needed',
    WRONG_NUMBER: 'Wrong number',
    GAVE_UP: 'Could not be reached',
    UNKNOWN: 'Not known',
    MISSED_CALLS_WAITING: 'Missed calls wait',
    LONGEST_WAIT: 'Longest wait',
    WRAP_UP: 'Wrap-up',
    NO_AGENT_READY: 'No agent ready',
    PROVIDER_FAILING: 'Provider fails',
    WEBHOOKS_SILENT: 'No webhooks',
  } satisfies Readonly<Record<Value | 'UNKNOWN', string>>,
  hi: {
    MANAGER: 'प्रबंधक',
    USER: 'सदस्य',
    READY: 'तैयार',
    NOT_READY: 'तैयार नहीं',
    MET: 'पूरा हुआ',
    BROKEN: 'नहीं माना गया',
    NOT_APPLICABLE: 'लागू नहीं',
    REACHED: 'बात हुई',
    NOT_NEEDED: 'कॉल की ज़रूरत नहीं',
    WRONG_NUMBER: 'गलत नंबर',
    GAVE_UP: 'संपर्क नहीं हो सका',
    UNKNOWN: 'ज्ञात नहीं',
    MISSED_CALLS_WAITING: 'छूटी कॉल प्रतीक्षा में',
    LONGEST_WAIT: 'सबसे लंबी प्रतीक्षा',
    WRAP_UP: 'कॉल के बाद का काम',
    NO_AGENT_READY: 'कोई एजेंट तैयार नहीं',
    PROVIDER_FAILING: 'प्रदाता विफल',
    WEBHOOKS_SILENT: 'वेबहुक नहीं आ रहे',
  },
})

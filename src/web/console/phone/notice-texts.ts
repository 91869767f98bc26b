import { defineTexts } from '../i18n/texts.ts'

export const useNoticeTexts = defineTexts({
  en: {
    confirm: 'Got it',
    confirmAll: (count: number) => `Got all ${count}`,
    toCallbacks: 'Open callbacks',
    madeReady: (manager: string) => `${manager} made you ready`,
    madeNotReady: (manager: string, reason: string) => `${manager} made you not ready: ${reason}`,
    SESSION_ENDED: (manager: string) => `${manager} ended your session`,
    PERSON_ASSIGNED: (manager: string) => `${manager} gave you a person to call back`,
    PERSON_UNASSIGNED: (manager: string) => `${manager} gave a person of yours to somebody else`,
    CLAIM_ENDED: (manager: string) => `${manager} ended your claim of a person`,
  },
  hi: {
    confirm: 'समझ गया',
    confirmAll: (count) => `सभी ${count} समझ गया`,
    toCallbacks: 'कॉलबैक खोलें',
    madeReady: (manager) => `${manager} ने आपको तैयार किया`,
    madeNotReady: (manager, reason) => `${manager} ने आपको विराम पर रखा: ${reason}`,
    SESSION_ENDED: (manager) => `${manager} ने आपका सत्र समाप्त किया`,
    PERSON_ASSIGNED: (manager) => `${manager} ने आपको वापस कॉल करने के लिए एक व्यक्ति सौंपा`,
    PERSON_UNASSIGNED: (manager) => `${manager} ने आपका एक व्यक्ति किसी और को सौंपा`,
    CLAIM_ENDED: (manager) => `${manager} ने एक व्यक्ति पर आपका दावा समाप्त किया`,
  },
})

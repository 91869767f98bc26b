import { defineTexts } from '../i18n/texts.ts'

export const useStateTexts = defineTexts({
  en: {
    SIGNED_OUT: 'Signed out at the phone',
    NOT_READY: 'Not ready',
    READY: 'Ready',
    ON_CALL: 'On a call',
    WRAP_UP: 'Wrap-up',
    unknown: 'State not known',
    change: (state: string) => `Your state: ${state}. Change it`,
    takeCalls: 'Take calls',
    otherReason: 'With a reason…',
    reason: 'Reason',
    pause: 'Take no calls',
    becomeReady: 'Become ready',
    becomeNotReady: (reason: string) => `Take no calls: ${reason}`,
  },
  hi: {
    SIGNED_OUT: 'फ़ोन पर साइन आउट',
    NOT_READY: 'तैयार नहीं',
    READY: 'तैयार',
    ON_CALL: 'कॉल पर',
    WRAP_UP: 'कॉल के बाद का काम',
    unknown: 'स्थिति ज्ञात नहीं',
    change: (state) => `आपकी स्थिति: ${state}। बदलें`,
    takeCalls: 'कॉल लें',
    otherReason: 'कारण के साथ…',
    reason: 'कारण',
    pause: 'कॉल न लें',
    becomeReady: 'तैयार हों',
    becomeNotReady: (reason) => `कॉल न लें: ${reason}`,
  },
})

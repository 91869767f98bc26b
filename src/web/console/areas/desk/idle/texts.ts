import { defineTexts } from '../../../i18n/texts.ts'

export const useIdleTexts = defineTexts({
  en: {
    title: 'Calls',
    waiting: 'You are ready',
    waitingText: 'The next call appears here by itself.',
    notWaiting: 'You get no calls now',
    becomeReady: 'Become ready',
    seeCallbacks: 'See who waits for a call',
    dialLabel: 'Call a number',
    call: 'Call',
  },
  hi: {
    title: 'कॉल',
    waiting: 'आप तैयार हैं',
    waitingText: 'अगली कॉल यहाँ अपने-आप दिखेगी।',
    notWaiting: 'अभी आपको कॉल नहीं मिलेंगी',
    becomeReady: 'तैयार हों',
    seeCallbacks: 'देखें कौन कॉल की प्रतीक्षा में है',
    dialLabel: 'नंबर पर कॉल करें',
    call: 'कॉल करें',
  },
})

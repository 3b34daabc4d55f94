import { publicSabotages } from './sabotages/public.ts'
import { seesItBroken } from './sees-it-broken.ts'

seesItBroken(publicSabotages)

import { sabotages } from './sabotages/all.ts'
import { seesItBroken } from './sees-it-broken.ts'

seesItBroken(sabotages)

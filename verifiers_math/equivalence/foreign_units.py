r"""What stands behind a number in other languages: units, money, counters and plain nouns.

A known unit is the English one (``18 美元`` is 18 dollars), and a known noun counts things, as ``18
яблок`` does. Any other word may make the number another, deny it or doubt it, so it is no unit.
"""

from __future__ import annotations

import re
from fractions import Fraction

from verifiers_math.equivalence.nouns import is_known_noun
from verifiers_math.equivalence.units import Unit, read_unit

_SPELLINGS = {
    "dollars": (
        "美元 美金 ドル 달러 ডলার ดอลลาร์ ดอลล่าร์ డాలర్లు డాలర్ డాలర్ల डॉलर दोलार доллар доллара долларов "
        "долл dólar dólares دولار دولارا دولارات"
    ),
    "cents": "美分 セント 센트 সেন্ট เซนต์ సెంట్లు सेंट цент цента центов سنت سنتا",
    "euros": "欧元 ユーロ 유로 ইউরো ยูโร యూరోలు यूरो евро يورو",
    "rupees": "卢比 ルピー 루피 রুপি টাকা రూపాయలు రూపాయి रुपये रुपए रुपया рупий روبية",
    "yuan": "元 人民币 块 圆",
    "rubles": "рубль рубля рублей руб",
    "krw": "원",
    "baht": "บาท",
    "yen": "日元 円 엔 เยน иен",
    "km": (
        "千米 公里 キロメートル 킬로미터 কিলোমিটার กิโลเมตร కిలోమీటర్లు किलोमीटर км километр "
        "километра километров كيلومتر"
    ),
    "m": "米 公尺 メートル 미터 মিটার เมตร మీటర్లు मीटर м метр метра метров متر mètre mètres",
    "cm": (
        "厘米 公分 センチ センチメートル 센티미터 সেন্টিমিটার সেমি เซนติเมตร సెంటీమీటర్లు सेंटीमीटर सेमी см "
        "сантиметр сантиметра сантиметров سنتيمتر سم centímetros centimètres"
    ),
    "mm": "毫米 ミリメートル 밀리미터 มิลลิเมตร मिलीमीटर мм миллиметров",
    "dm": "分米 дм дециметров",
    "kg": (
        "千克 公斤 キログラム 킬로그램 কেজি কিলোগ্রাম กิโลกรัม కిలోలు కిలోగ్రాములు किलोग्राम किलो кг "
        "килограмм килограмма килограммов"
    ),
    "g": "克 グラム 그램 গ্রাম กรัม గ్రాములు ग्राम г грамм грамма граммов",
    "l": "升 公升 リットル 리터 লিটার ลิตร లీటర్లు लीटर л литр литра литров لتر",
    "ml": "毫升 ミリリットル 밀리리터 মিলিলিটার มิลลิลิตร मिलीलीटर мл миллилитров",
    "seconds": "秒 秒钟 초 সেকেন্ড วินาที సెకన్లు सेकंड секунд секунды секунда ثانية",
    "minutes": "分钟 分鐘 分 분 মিনিট นาที నిమిషాలు मिनट мин минут минуты минута دقيقة دقائق",
    "hours": "小时 小時 時間 时 시간 ঘণ্টা ঘন্টা ชั่วโมง గంటలు घंटे घंटा ч час часа часов ساعة ساعات",
    "days": "天 日 日間 일 দিন วัน రోజులు दिन день дня дней يوم أيام días",
    "weeks": "周 週間 星期 주 সপ্তাহ สัปดาห์ వారాలు सप्ताह недель недели أسابيع",
    "months": "个月 か月 ヶ月 개월 মাস เดือน నెలలు महीने месяцев месяца أشهر",
    "years": "年 年間 년 বছর ปี సంవత్సరాలు वर्ष साल лет года год سنة سنوات años",
    "degrees": "度 도 ডিগ্রি องศา డిగ్రీలు डिग्री градусов градуса درجة",
    "square cm": "平方厘米 平方センチメートル 제곱센티미터 см²",
    "square m": "平方米 平方メートル 제곱미터 м²",
    "square km": "平方千米 平方公里 平方キロメートル 제곱킬로미터",
    "cubic cm": "立方厘米 立方センチメートル 세제곱센티미터",
    "cubic m": "立方米 立方メートル 세제곱미터",
}
_ENGLISH = {word: unit for unit, words in _SPELLINGS.items() for word in words.split()}
MAX_CHARS = 30
MAX_WORDS = 2
_UPRIGHT = re.compile(r" ?\\text ?\{ ?([^{}]*?) ?\} ?")


def read_foreign_unit(text: str) -> Unit | None:
    """Reads what stands behind a number as a word of another language; None where it is none.

    Args:
        text: The rest of a tidied answer behind its numeral.
    """
    if len(text) > MAX_CHARS or text.isascii():
        return None
    upright = _UPRIGHT.fullmatch(text)
    plain = (upright[1] if upright else text).strip().removesuffix(".").lower()
    english = _ENGLISH.get(plain)
    if english is not None:
        return read_unit(f"\\text{{ {english}}}")
    words = plain.split()
    if not 1 <= len(words) <= MAX_WORDS or not all(map(is_known_noun, words)):
        return None
    return Unit(Fraction(1), None, plain)

"""Texts that ask the same question, and texts that only look like it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.normalisation import tokens
from tomahto.text.same_question import (
    are_near,
    first_spellings,
    question_form,
    question_key,
    question_tokens,
)

CHINESE = "请问世界上海拔最高的那座山峰位于哪两个国家的边界上面并且有多少米高"
THAI = "ใครเป็นนายกรัฐมนตรีคนแรกของประเทศไทยและเขาเกิดเมื่อวันที่เท่าไร"
KHMER = "តើនរណាជានាយករដ្ឋមន្ត្រីដំបូងគេរបស់ប្រទេសកម្ពុជានៅឆ្នាំនោះ"
JAPANESE = "世界で一番高い山の名前は何で、その山はどの国とどの国の間にありますか"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Où est le café ?", unicodedata.normalize("NFD", "Où est le café?")),
        ("Who won？", "who won?"),
        ("Ｗｈｏ　ｗｏｎ　ｉｎ　２０２０？", "Who won in 2020"),
        ("Where does ‘The Rock’ live?", "where does 'The Rock' live"),
        ("Who said “It’s over”?", 'Who said "It\'s over"?'),
        ("Who said «It´s over»?", "Who said It`s over?"),
        ("Who was Jean‐Luc – a captain?", "who was Jean-Luc, captain?"),
        ("¿Quién ganó? ¡Dilo!", "quién ganó dilo"),
        ("In 1990，who（of the two）won？", "In 1990, who (of the two) won?"),
        ("Wait…who?", "wait... who"),
        ("What is the ﬁrst of_all___?", "What is first ofall"),
        ("When was 1914—1918?", "When was 1914-1918"),
        ("Who has 1,000,000 of it", "who has 1000000 of it"),
        ("Who\u200b won\ufeff it\u00ad?", "Who won it"),
        ("WER WOHNT IN DER STRASSE?", "Wer wohnt in der Straße?"),
        ("谁写了《红楼梦》？", "谁写了“红楼梦”?"),
        ("在 2008 年谁赢了？", "在2008年谁赢了"),
        ("ﾄｳｷｮｳはどこ？", "トウキョウはどこ?"),
        ("متى وُلِدَ؟", "متى ولد"),
        ("מִי כָּתַב?", "מי כתב"),
        ("מי היה מפקד צה״ל?", 'מי היה מפקד צה"ל'),
        ("東京〜大阪の距離は？", "東京～大阪の距離は"),
        ("Where is the London–Paris line?", "Where is the London—Paris line?"),
        ("Who is 6′2″ tall?", "Who is 6'2\" tall?"),
        ("في عام ٢٠٢٠؟", "في عام 2020"),
        ("What is 5 %?", "What is 5%?"),
        ("How many km² is it?", "how many km2 is it"),
        ("What is 7 − 5?", "What is 7-5?"),
        ("The U.S. team, a.k.a. AC/DC", "US team aka ACDC"),
        ("Who won in the war—which began in 1914?", "Who won in the war — which began in 1914?"),
        ("war–which", "war – which"),
        ("war―which", "war, which"),
        ("war--which", "war -- which"),
        ("war--5 years", "war, 5 years"),
        ("What is --5?", "What is -5?"),
        ("war—which", "war - which"),
        ("well‐known", "well‑known"),
        ("Who won in 1914 - or later?", "Who won in 1914 – or later?"),
        ("איפה תל־אביב?", "איפה תל-אביב"),
        ("Who owns AT & T?", "Who owns AT&T?"),
        ("Who owns AT\u00a0＆ T?", "Who owns AT&T?"),
        ("Is it either / or?", "Is it either/or?"),
        ("यह / वह", "यह/वह"),
        ("东京 / 大阪", "东京/大阪"),
        ("ไทย / ลาว", "ไทย/ลาว"),
        ("Who starred in M * A * S * H?", "Who starred in M*A*S*H?"),
        ("Who left at 10 : 30?", "Who left at 10:30?"),
        ("En 1990 : 5 pays ?", "En 1990: 5 pays"),
        ("İstanbul'un nüfusu kaç kişidir?", "İSTANBUL'UN NÜFUSU KAÇ KİŞİDİR?"),
        ("İstanbul nerede?", unicodedata.normalize("NFD", "İSTANBUL NEREDE?")),
        ("Diyarbakır nerede?", "DİYARBAKIR NEREDE?"),
        *(
            (f"അവ{chillu}?", f"അവ{letter}\u0d4d\u200d?")
            for chillu, letter in zip("ൺൻർൽൾൿ", "ണനരലളക", strict=True)
        ),
        ("হঠাৎ কে?", "হঠাত\u09cd\u200d কে?"),
        ("दऱ्या", "दर\u094d\u200dया"),
        ("ما قيمة ٣٫١٤؟", "ما قيمة 3.14؟"),
        ("ما قيمة -٫٥؟", "ما قيمة -.5؟"),
        ("من دفع ١٬٠٠٠٬٠٠٠٫٥؟", "من دفع 1,000,000.5؟"),
        ("What is x²?", "What is x^2?"),
        ("What is E = mc²?", "What is E=mc^2?"),
        ("What is (x+1)³?", "What is (x+1)^3?"),
        ("What is xⁿ⁺¹?", "What is x^(n+1)?"),
        ("What is 10⁻³?", "What is 10^-3?"),
        ("How many km^2 is it", "How many km2 is it"),
        ("多少km²的湖", "多少㎢的湖"),
        ("What is Ca²⁺?", "What is Ca2+?"),
        ("Who came 2ⁿᵈ?", "Who came 2nd?"),
        ("What is ¹⁴C?", "What is 14C?"),
        ("علي کیست؟", "على كيست؟"),
        ("علی كیست؟", "علي كيست؟"),
        ("Unde este Iaşi, în ţară?", "Unde este Iași, în țară?"),
        ("น้ำคือ", "นํ้าคือ"),
        ("น้ำคือ", "นำ้คือ"),
        ("ที่ไหน", "ท่ีไหน"),
        ("ນ້ຳ", "ນໍ້າ"),
        ("Who said∶ run 10∶30?", "Who said: run 10:30?"),
        ("What is 7∕5 or AC∕DC?", "What is 7/5 or AC/DC?"),
        ("What is x⋅y?", "What is x·y?"),
        ("?", "…"),
    ],
)
def test_spellings_of_a_question_have_one_form(one: str, other: str) -> None:
    assert question_form(one) == question_form(other)
    assert question_tokens(one) == question_tokens(other)


@pytest.mark.parametrize(
    "questions",
    [
        ["What is 7+5?", "What is 7-5?", "What is 7*5?", "What is 7/5?", "What is 75?", "Is 7=5?"],
        ["What is 3.14?", "What is 314?", "What is 3:14?", "What is 3,14?", "What is -3.14?"],
        ["What is 5?", "What is -5?", "What is .5?", "What is $5?", "What is €5?", "What is 5%?"],
        ["What is 102?", "What is 10²?", "What is 21/2?", "What is 2½?", "What is 10^-2?"],
        ["What is 5--3?", "What is 5-3?", "What is 5 3?"],
        ["What is x²?", "What is x2?", "What is x³?", "What is x?"],
        ["What is 2ⁿ?", "What is 2n?", "What is 2ˣ?", "What is 2x?"],
        ["What is 10⁻³?", "What is 10-3?", "What is 103?", "What is 10³?"],
        ["What is 3٫14?", "What is 3٬14?", "What is 314?"],
        ["Who owns 5 & 6?", "Who owns 56?"],
        ["അവൻ", "അവന്", "അവന"],
        ["Who made C?", "Who made C++?", "Who made C#?", "Who made C+?"],
        ["气温-5度", "气温5度", "气温+5度", "气温5%度"],
        ["谁写了红楼梦", "谁写了西游记", "谁读了红楼梦", "红楼梦写了谁"],
        ["คนไทย", "คนไท", "เสือ", "เสื้อ"],
        ["Wo ist Bär?", "Wo ist Bar?"],
    ],
)
def test_questions_that_differ_in_sense_have_forms_of_their_own(questions: list[str]) -> None:
    assert len({question_form(question) for question in questions}) == len(questions)


@given(st.text())
def test_the_form_is_of_any_composition(text: str) -> None:
    assert question_form(unicodedata.normalize("NFC", text)) == question_form(text)
    assert question_form(unicodedata.normalize("NFD", text)) == question_form(text)


@given(st.text())
def test_the_form_has_no_article_and_single_spaces(text: str) -> None:
    words = question_form(text).split(" ")
    assert {"a", "an", "the"}.isdisjoint(words)
    assert "" not in words or words == [""]


def near(one: str, other: str) -> bool:
    return are_near(question_tokens(one), question_tokens(other))


@pytest.mark.parametrize("text", [CHINESE, THAI, KHMER, JAPANESE])
def test_one_character_of_33_makes_a_near_duplicate_wherever_it_is(text: str) -> None:
    # Of a bag of 33 characters 32 stay: 32 / 34 = 0.94.
    for place in range(len(text)):
        if unicodedata.category(text[place]) == "Lo":
            assert near(text, text[:place] + "犬" + text[place + 1 :]), place
            assert near(text, text[:place] + text[place + 1 :]), place


def test_characters_are_near_like_words() -> None:
    # One character of 19 changed leaves 18 of 20 (0.9), one of 18 leaves 17 of 19 (0.89).
    nineteen = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申"
    assert near(nineteen, nineteen.replace("丙", "犬"))
    assert not near(nineteen[:18], nineteen[:18].replace("丙", "犬"))


@pytest.mark.parametrize(
    "questions",
    [
        ["谁写了红楼梦这本书", "谁写了西游记这本书", "谁写了水浒传这本书"],
        ["法国的首都是哪里", "英国的首都是哪里", "法国的总统是谁", "法国的首都有多少人"],
        ["第一次世界大战何时开始", "第二次世界大战何时开始", "第一次世界大战何时结束"],
        ["2008年奥运会在哪里举行", "2012年奥运会在哪里举行", "2008年世博会在哪里举行"],
        ["日本で一番高い山は何ですか", "日本で一番長い川は何ですか", "韓国で一番高い山は何ですか"],
        ["ใครเป็นนายกรัฐมนตรีคนแรกของไทย", "ใครเป็นนายกรัฐมนตรีคนแรกของลาว", "ใครเป็นกษัตริย์คนแรกของไทย"],
    ],
)
def test_different_questions_without_spaces_are_not_near(questions: list[str]) -> None:
    assert [
        (one, other)
        for place, one in enumerate(questions)
        for other in questions[:place]
        if near(one, other)
    ] == []


def test_words_repeated_count_once_and_characters_each_time() -> None:
    assert question_tokens("What what is C++?") == {"what", "is", "c", "+", "+2"}
    assert question_tokens("人人说 and and") == {"人", "人2", "说", "and"}


ENGLISH = ["who", "wrote", "Ada's", "first", "U.S.", "well-known", "9/11", "book", "the", "a", "?"]


@given(st.lists(st.sampled_from(ENGLISH)))
def test_english_words_are_those_of_scoring(words: list[str]) -> None:
    found = {word.replace("／", "") for word in question_tokens(" ".join(words))}
    assert found == set(tokens(" ".join(words)))


def test_first_spellings_stand_for_their_likes() -> None:
    found = first_spellings(["Who’s it?", "Where?", "who's it"])
    assert found == ["Who’s it?", "Where?", "Who’s it?"]


def test_identifiers_stay_as_they_are() -> None:
    assert [question_key(name) for name in ("q_1-11", "Who is it?", "谁？")] == [
        "q_1-11",
        "who is it",
        "谁",
    ]

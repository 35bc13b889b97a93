BEGIN TRANSACTION;
CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);
CREATE TABLE "auth_group_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "auth_permission" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "content_type_id" integer NOT NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "codename" varchar(100) NOT NULL, "name" varchar(255) NOT NULL);
INSERT INTO "auth_permission" VALUES(1,1,'add_user','Can add user');
INSERT INTO "auth_permission" VALUES(2,1,'change_user','Can change user');
INSERT INTO "auth_permission" VALUES(3,1,'delete_user','Can delete user');
INSERT INTO "auth_permission" VALUES(4,1,'view_user','Can view user');
INSERT INTO "auth_permission" VALUES(5,2,'add_campaign','Can add campaign');
INSERT INTO "auth_permission" VALUES(6,2,'change_campaign','Can change campaign');
INSERT INTO "auth_permission" VALUES(7,2,'delete_campaign','Can delete campaign');
INSERT INTO "auth_permission" VALUES(8,2,'view_campaign','Can view campaign');
INSERT INTO "auth_permission" VALUES(9,3,'add_consenttext','Can add consent text');
INSERT INTO "auth_permission" VALUES(10,3,'change_consenttext','Can change consent text');
INSERT INTO "auth_permission" VALUES(11,3,'delete_consenttext','Can delete consent text');
INSERT INTO "auth_permission" VALUES(12,3,'view_consenttext','Can view consent text');
INSERT INTO "auth_permission" VALUES(13,4,'add_invitation','Can add invitation');
INSERT INTO "auth_permission" VALUES(14,4,'change_invitation','Can change invitation');
INSERT INTO "auth_permission" VALUES(15,4,'delete_invitation','Can delete invitation');
INSERT INTO "auth_permission" VALUES(16,4,'view_invitation','Can view invitation');
INSERT INTO "auth_permission" VALUES(17,5,'add_membership','Can add membership');
INSERT INTO "auth_permission" VALUES(18,5,'change_membership','Can change membership');
INSERT INTO "auth_permission" VALUES(19,5,'delete_membership','Can delete membership');
INSERT INTO "auth_permission" VALUES(20,5,'view_membership','Can view membership');
INSERT INTO "auth_permission" VALUES(21,6,'add_apitoken','Can add api token');
INSERT INTO "auth_permission" VALUES(22,6,'change_apitoken','Can change api token');
INSERT INTO "auth_permission" VALUES(23,6,'delete_apitoken','Can delete api token');
INSERT INTO "auth_permission" VALUES(24,6,'view_apitoken','Can view api token');
INSERT INTO "auth_permission" VALUES(25,7,'add_guideline','Can add guideline');
INSERT INTO "auth_permission" VALUES(26,7,'change_guideline','Can change guideline');
INSERT INTO "auth_permission" VALUES(27,7,'delete_guideline','Can delete guideline');
INSERT INTO "auth_permission" VALUES(28,7,'view_guideline','Can view guideline');
INSERT INTO "auth_permission" VALUES(29,8,'add_auditentry','Can add audit entry');
INSERT INTO "auth_permission" VALUES(30,8,'change_auditentry','Can change audit entry');
INSERT INTO "auth_permission" VALUES(31,8,'delete_auditentry','Can delete audit entry');
INSERT INTO "auth_permission" VALUES(32,8,'view_auditentry','Can view audit entry');
INSERT INTO "auth_permission" VALUES(33,9,'add_document','Can add document');
INSERT INTO "auth_permission" VALUES(34,9,'change_document','Can change document');
INSERT INTO "auth_permission" VALUES(35,9,'delete_document','Can delete document');
INSERT INTO "auth_permission" VALUES(36,9,'view_document','Can view document');
INSERT INTO "auth_permission" VALUES(37,10,'add_question','Can add question');
INSERT INTO "auth_permission" VALUES(38,10,'change_question','Can change question');
INSERT INTO "auth_permission" VALUES(39,10,'delete_question','Can delete question');
INSERT INTO "auth_permission" VALUES(40,10,'view_question','Can view question');
INSERT INTO "auth_permission" VALUES(41,11,'add_item','Can add item');
INSERT INTO "auth_permission" VALUES(42,11,'change_item','Can change item');
INSERT INTO "auth_permission" VALUES(43,11,'delete_item','Can delete item');
INSERT INTO "auth_permission" VALUES(44,11,'view_item','Can view item');
INSERT INTO "auth_permission" VALUES(45,12,'add_system','Can add system');
INSERT INTO "auth_permission" VALUES(46,12,'change_system','Can change system');
INSERT INTO "auth_permission" VALUES(47,12,'delete_system','Can delete system');
INSERT INTO "auth_permission" VALUES(48,12,'view_system','Can view system');
INSERT INTO "auth_permission" VALUES(49,13,'add_itemsystem','Can add item system');
INSERT INTO "auth_permission" VALUES(50,13,'change_itemsystem','Can change item system');
INSERT INTO "auth_permission" VALUES(51,13,'delete_itemsystem','Can delete item system');
INSERT INTO "auth_permission" VALUES(52,13,'view_itemsystem','Can view item system');
INSERT INTO "auth_permission" VALUES(53,14,'add_candidate','Can add candidate');
INSERT INTO "auth_permission" VALUES(54,14,'change_candidate','Can change candidate');
INSERT INTO "auth_permission" VALUES(55,14,'delete_candidate','Can delete candidate');
INSERT INTO "auth_permission" VALUES(56,14,'view_candidate','Can view candidate');
INSERT INTO "auth_permission" VALUES(57,15,'add_crowdvisit','Can add crowd visit');
INSERT INTO "auth_permission" VALUES(58,15,'change_crowdvisit','Can change crowd visit');
INSERT INTO "auth_permission" VALUES(59,15,'delete_crowdvisit','Can delete crowd visit');
INSERT INTO "auth_permission" VALUES(60,15,'view_crowdvisit','Can view crowd visit');
INSERT INTO "auth_permission" VALUES(61,16,'add_generatedtext','Can add generated text');
INSERT INTO "auth_permission" VALUES(62,16,'change_generatedtext','Can change generated text');
INSERT INTO "auth_permission" VALUES(63,16,'delete_generatedtext','Can delete generated text');
INSERT INTO "auth_permission" VALUES(64,16,'view_generatedtext','Can view generated text');
INSERT INTO "auth_permission" VALUES(65,17,'add_loginattempts','Can add login attempts');
INSERT INTO "auth_permission" VALUES(66,17,'change_loginattempts','Can change login attempts');
INSERT INTO "auth_permission" VALUES(67,17,'delete_loginattempts','Can delete login attempts');
INSERT INTO "auth_permission" VALUES(68,17,'view_loginattempts','Can view login attempts');
INSERT INTO "auth_permission" VALUES(69,18,'add_slot','Can add slot');
INSERT INTO "auth_permission" VALUES(70,18,'change_slot','Can change slot');
INSERT INTO "auth_permission" VALUES(71,18,'delete_slot','Can delete slot');
INSERT INTO "auth_permission" VALUES(72,18,'view_slot','Can view slot');
INSERT INTO "auth_permission" VALUES(73,19,'add_assignment','Can add assignment');
INSERT INTO "auth_permission" VALUES(74,19,'change_assignment','Can change assignment');
INSERT INTO "auth_permission" VALUES(75,19,'delete_assignment','Can delete assignment');
INSERT INTO "auth_permission" VALUES(76,19,'view_assignment','Can view assignment');
INSERT INTO "auth_permission" VALUES(77,20,'add_draft','Can add draft');
INSERT INTO "auth_permission" VALUES(78,20,'change_draft','Can change draft');
INSERT INTO "auth_permission" VALUES(79,20,'delete_draft','Can delete draft');
INSERT INTO "auth_permission" VALUES(80,20,'view_draft','Can view draft');
INSERT INTO "auth_permission" VALUES(81,21,'add_outcome','Can add outcome');
INSERT INTO "auth_permission" VALUES(82,21,'change_outcome','Can change outcome');
INSERT INTO "auth_permission" VALUES(83,21,'delete_outcome','Can delete outcome');
INSERT INTO "auth_permission" VALUES(84,21,'view_outcome','Can view outcome');
INSERT INTO "auth_permission" VALUES(85,22,'add_rating','Can add rating');
INSERT INTO "auth_permission" VALUES(86,22,'change_rating','Can change rating');
INSERT INTO "auth_permission" VALUES(87,22,'delete_rating','Can delete rating');
INSERT INTO "auth_permission" VALUES(88,22,'view_rating','Can view rating');
INSERT INTO "auth_permission" VALUES(89,23,'add_firstlook','Can add first look');
INSERT INTO "auth_permission" VALUES(90,23,'change_firstlook','Can change first look');
INSERT INTO "auth_permission" VALUES(91,23,'delete_firstlook','Can delete first look');
INSERT INTO "auth_permission" VALUES(92,23,'view_firstlook','Can view first look');
INSERT INTO "auth_permission" VALUES(93,24,'add_adjudication','Can add adjudication');
INSERT INTO "auth_permission" VALUES(94,24,'change_adjudication','Can change adjudication');
INSERT INTO "auth_permission" VALUES(95,24,'delete_adjudication','Can delete adjudication');
INSERT INTO "auth_permission" VALUES(96,24,'view_adjudication','Can view adjudication');
INSERT INTO "auth_permission" VALUES(97,25,'add_seenvotes','Can add seen votes');
INSERT INTO "auth_permission" VALUES(98,25,'change_seenvotes','Can change seen votes');
INSERT INTO "auth_permission" VALUES(99,25,'delete_seenvotes','Can delete seen votes');
INSERT INTO "auth_permission" VALUES(100,25,'view_seenvotes','Can view seen votes');
INSERT INTO "auth_permission" VALUES(101,26,'add_leftitem','Can add left item');
INSERT INTO "auth_permission" VALUES(102,26,'change_leftitem','Can change left item');
INSERT INTO "auth_permission" VALUES(103,26,'delete_leftitem','Can delete left item');
INSERT INTO "auth_permission" VALUES(104,26,'view_leftitem','Can view left item');
INSERT INTO "auth_permission" VALUES(105,27,'add_flag','Can add flag');
INSERT INTO "auth_permission" VALUES(106,27,'change_flag','Can change flag');
INSERT INTO "auth_permission" VALUES(107,27,'delete_flag','Can delete flag');
INSERT INTO "auth_permission" VALUES(108,27,'view_flag','Can view flag');
INSERT INTO "auth_permission" VALUES(109,28,'add_suggestion','Can add suggestion');
INSERT INTO "auth_permission" VALUES(110,28,'change_suggestion','Can change suggestion');
INSERT INTO "auth_permission" VALUES(111,28,'delete_suggestion','Can delete suggestion');
INSERT INTO "auth_permission" VALUES(112,28,'view_suggestion','Can view suggestion');
INSERT INTO "auth_permission" VALUES(113,29,'add_suggestionview','Can add suggestion view');
INSERT INTO "auth_permission" VALUES(114,29,'change_suggestionview','Can change suggestion view');
INSERT INTO "auth_permission" VALUES(115,29,'delete_suggestionview','Can delete suggestion view');
INSERT INTO "auth_permission" VALUES(116,29,'view_suggestionview','Can view suggestion view');
INSERT INTO "auth_permission" VALUES(117,30,'add_consent','Can add consent');
INSERT INTO "auth_permission" VALUES(118,30,'change_consent','Can change consent');
INSERT INTO "auth_permission" VALUES(119,30,'delete_consent','Can delete consent');
INSERT INTO "auth_permission" VALUES(120,30,'view_consent','Can view consent');
INSERT INTO "auth_permission" VALUES(121,31,'add_expectedanswer','Can add expected answer');
INSERT INTO "auth_permission" VALUES(122,31,'change_expectedanswer','Can change expected answer');
INSERT INTO "auth_permission" VALUES(123,31,'delete_expectedanswer','Can delete expected answer');
INSERT INTO "auth_permission" VALUES(124,31,'view_expectedanswer','Can view expected answer');
INSERT INTO "auth_permission" VALUES(125,32,'add_calibrationattempt','Can add calibration attempt');
INSERT INTO "auth_permission" VALUES(126,32,'change_calibrationattempt','Can change calibration attempt');
INSERT INTO "auth_permission" VALUES(127,32,'delete_calibrationattempt','Can delete calibration attempt');
INSERT INTO "auth_permission" VALUES(128,32,'view_calibrationattempt','Can view calibration attempt');
INSERT INTO "auth_permission" VALUES(129,33,'add_calibrationanswer','Can add calibration answer');
INSERT INTO "auth_permission" VALUES(130,33,'change_calibrationanswer','Can change calibration answer');
INSERT INTO "auth_permission" VALUES(131,33,'delete_calibrationanswer','Can delete calibration answer');
INSERT INTO "auth_permission" VALUES(132,33,'view_calibrationanswer','Can view calibration answer');
INSERT INTO "auth_permission" VALUES(133,34,'add_assessment','Can add assessment');
INSERT INTO "auth_permission" VALUES(134,34,'change_assessment','Can change assessment');
INSERT INTO "auth_permission" VALUES(135,34,'delete_assessment','Can delete assessment');
INSERT INTO "auth_permission" VALUES(136,34,'view_assessment','Can view assessment');
INSERT INTO "auth_permission" VALUES(137,35,'add_figures','Can add figures');
INSERT INTO "auth_permission" VALUES(138,35,'change_figures','Can change figures');
INSERT INTO "auth_permission" VALUES(139,35,'delete_figures','Can delete figures');
INSERT INTO "auth_permission" VALUES(140,35,'view_figures','Can view figures');
INSERT INTO "auth_permission" VALUES(141,36,'add_look','Can add look');
INSERT INTO "auth_permission" VALUES(142,36,'change_look','Can change look');
INSERT INTO "auth_permission" VALUES(143,36,'delete_look','Can delete look');
INSERT INTO "auth_permission" VALUES(144,36,'view_look','Can view look');
INSERT INTO "auth_permission" VALUES(145,37,'add_alertrule','Can add alert rule');
INSERT INTO "auth_permission" VALUES(146,37,'change_alertrule','Can change alert rule');
INSERT INTO "auth_permission" VALUES(147,37,'delete_alertrule','Can delete alert rule');
INSERT INTO "auth_permission" VALUES(148,37,'view_alertrule','Can view alert rule');
INSERT INTO "auth_permission" VALUES(149,38,'add_alertchannels','Can add alert channels');
INSERT INTO "auth_permission" VALUES(150,38,'change_alertchannels','Can change alert channels');
INSERT INTO "auth_permission" VALUES(151,38,'delete_alertchannels','Can delete alert channels');
INSERT INTO "auth_permission" VALUES(152,38,'view_alertchannels','Can view alert channels');
INSERT INTO "auth_permission" VALUES(153,39,'add_alert','Can add alert');
INSERT INTO "auth_permission" VALUES(154,39,'change_alert','Can change alert');
INSERT INTO "auth_permission" VALUES(155,39,'delete_alert','Can delete alert');
INSERT INTO "auth_permission" VALUES(156,39,'view_alert','Can view alert');
INSERT INTO "auth_permission" VALUES(157,40,'add_datasheetanswer','Can add datasheet answer');
INSERT INTO "auth_permission" VALUES(158,40,'change_datasheetanswer','Can change datasheet answer');
INSERT INTO "auth_permission" VALUES(159,40,'delete_datasheetanswer','Can delete datasheet answer');
INSERT INTO "auth_permission" VALUES(160,40,'view_datasheetanswer','Can view datasheet answer');
INSERT INTO "auth_permission" VALUES(161,41,'add_release','Can add release');
INSERT INTO "auth_permission" VALUES(162,41,'change_release','Can change release');
INSERT INTO "auth_permission" VALUES(163,41,'delete_release','Can delete release');
INSERT INTO "auth_permission" VALUES(164,41,'view_release','Can view release');
INSERT INTO "auth_permission" VALUES(165,42,'add_withdrawal','Can add withdrawal');
INSERT INTO "auth_permission" VALUES(166,42,'change_withdrawal','Can change withdrawal');
INSERT INTO "auth_permission" VALUES(167,42,'delete_withdrawal','Can delete withdrawal');
INSERT INTO "auth_permission" VALUES(168,42,'view_withdrawal','Can view withdrawal');
INSERT INTO "auth_permission" VALUES(169,43,'add_job','Can add job');
INSERT INTO "auth_permission" VALUES(170,43,'change_job','Can change job');
INSERT INTO "auth_permission" VALUES(171,43,'delete_job','Can delete job');
INSERT INTO "auth_permission" VALUES(172,43,'view_job','Can view job');
INSERT INTO "auth_permission" VALUES(173,44,'add_jobfailure','Can add job failure');
INSERT INTO "auth_permission" VALUES(174,44,'change_jobfailure','Can change job failure');
INSERT INTO "auth_permission" VALUES(175,44,'delete_jobfailure','Can delete job failure');
INSERT INTO "auth_permission" VALUES(176,44,'view_jobfailure','Can view job failure');
INSERT INTO "auth_permission" VALUES(177,45,'add_evaluation','Can add evaluation');
INSERT INTO "auth_permission" VALUES(178,45,'change_evaluation','Can change evaluation');
INSERT INTO "auth_permission" VALUES(179,45,'delete_evaluation','Can delete evaluation');
INSERT INTO "auth_permission" VALUES(180,45,'view_evaluation','Can view evaluation');
INSERT INTO "auth_permission" VALUES(181,46,'add_submission','Can add submission');
INSERT INTO "auth_permission" VALUES(182,46,'change_submission','Can change submission');
INSERT INTO "auth_permission" VALUES(183,46,'delete_submission','Can delete submission');
INSERT INTO "auth_permission" VALUES(184,46,'view_submission','Can view submission');
INSERT INTO "auth_permission" VALUES(185,47,'add_submissionscore','Can add submission score');
INSERT INTO "auth_permission" VALUES(186,47,'change_submissionscore','Can change submission score');
INSERT INTO "auth_permission" VALUES(187,47,'delete_submissionscore','Can delete submission score');
INSERT INTO "auth_permission" VALUES(188,47,'view_submissionscore','Can view submission score');
INSERT INTO "auth_permission" VALUES(189,48,'add_submissionwithdrawal','Can add submission withdrawal');
INSERT INTO "auth_permission" VALUES(190,48,'change_submissionwithdrawal','Can change submission withdrawal');
INSERT INTO "auth_permission" VALUES(191,48,'delete_submissionwithdrawal','Can delete submission withdrawal');
INSERT INTO "auth_permission" VALUES(192,48,'view_submissionwithdrawal','Can view submission withdrawal');
INSERT INTO "auth_permission" VALUES(193,49,'add_leaderboard','Can add leaderboard');
INSERT INTO "auth_permission" VALUES(194,49,'change_leaderboard','Can change leaderboard');
INSERT INTO "auth_permission" VALUES(195,49,'delete_leaderboard','Can delete leaderboard');
INSERT INTO "auth_permission" VALUES(196,49,'view_leaderboard','Can view leaderboard');
INSERT INTO "auth_permission" VALUES(197,50,'add_trainedmatcher','Can add trained matcher');
INSERT INTO "auth_permission" VALUES(198,50,'change_trainedmatcher','Can change trained matcher');
INSERT INTO "auth_permission" VALUES(199,50,'delete_trainedmatcher','Can delete trained matcher');
INSERT INTO "auth_permission" VALUES(200,50,'view_trainedmatcher','Can view trained matcher');
INSERT INTO "auth_permission" VALUES(201,51,'add_webhook','Can add webhook');
INSERT INTO "auth_permission" VALUES(202,51,'change_webhook','Can change webhook');
INSERT INTO "auth_permission" VALUES(203,51,'delete_webhook','Can delete webhook');
INSERT INTO "auth_permission" VALUES(204,51,'view_webhook','Can view webhook');
INSERT INTO "auth_permission" VALUES(205,52,'add_event','Can add event');
INSERT INTO "auth_permission" VALUES(206,52,'change_event','Can change event');
INSERT INTO "auth_permission" VALUES(207,52,'delete_event','Can delete event');
INSERT INTO "auth_permission" VALUES(208,52,'view_event','Can view event');
INSERT INTO "auth_permission" VALUES(209,53,'add_delivery','Can add delivery');
INSERT INTO "auth_permission" VALUES(210,53,'change_delivery','Can change delivery');
INSERT INTO "auth_permission" VALUES(211,53,'delete_delivery','Can delete delivery');
INSERT INTO "auth_permission" VALUES(212,53,'view_delivery','Can view delivery');
INSERT INTO "auth_permission" VALUES(213,54,'add_worker','Can add worker');
INSERT INTO "auth_permission" VALUES(214,54,'change_worker','Can change worker');
INSERT INTO "auth_permission" VALUES(215,54,'delete_worker','Can delete worker');
INSERT INTO "auth_permission" VALUES(216,54,'view_worker','Can view worker');
INSERT INTO "auth_permission" VALUES(217,55,'add_schedulertick','Can add scheduler tick');
INSERT INTO "auth_permission" VALUES(218,55,'change_schedulertick','Can change scheduler tick');
INSERT INTO "auth_permission" VALUES(219,55,'delete_schedulertick','Can delete scheduler tick');
INSERT INTO "auth_permission" VALUES(220,55,'view_schedulertick','Can view scheduler tick');
INSERT INTO "auth_permission" VALUES(221,56,'add_logentry','Can add log entry');
INSERT INTO "auth_permission" VALUES(222,56,'change_logentry','Can change log entry');
INSERT INTO "auth_permission" VALUES(223,56,'delete_logentry','Can delete log entry');
INSERT INTO "auth_permission" VALUES(224,56,'view_logentry','Can view log entry');
INSERT INTO "auth_permission" VALUES(225,57,'add_permission','Can add permission');
INSERT INTO "auth_permission" VALUES(226,57,'change_permission','Can change permission');
INSERT INTO "auth_permission" VALUES(227,57,'delete_permission','Can delete permission');
INSERT INTO "auth_permission" VALUES(228,57,'view_permission','Can view permission');
INSERT INTO "auth_permission" VALUES(229,58,'add_group','Can add group');
INSERT INTO "auth_permission" VALUES(230,58,'change_group','Can change group');
INSERT INTO "auth_permission" VALUES(231,58,'delete_group','Can delete group');
INSERT INTO "auth_permission" VALUES(232,58,'view_group','Can view group');
INSERT INTO "auth_permission" VALUES(233,59,'add_contenttype','Can add content type');
INSERT INTO "auth_permission" VALUES(234,59,'change_contenttype','Can change content type');
INSERT INTO "auth_permission" VALUES(235,59,'delete_contenttype','Can delete content type');
INSERT INTO "auth_permission" VALUES(236,59,'view_contenttype','Can view content type');
INSERT INTO "auth_permission" VALUES(237,60,'add_session','Can add session');
INSERT INTO "auth_permission" VALUES(238,60,'change_session','Can change session');
INSERT INTO "auth_permission" VALUES(239,60,'delete_session','Can delete session');
INSERT INTO "auth_permission" VALUES(240,60,'view_session','Can view session');
INSERT INTO "auth_permission" VALUES(241,61,'add_totpdevice','Can add TOTP device');
INSERT INTO "auth_permission" VALUES(242,61,'change_totpdevice','Can change TOTP device');
INSERT INTO "auth_permission" VALUES(243,61,'delete_totpdevice','Can delete TOTP device');
INSERT INTO "auth_permission" VALUES(244,61,'view_totpdevice','Can view TOTP device');
INSERT INTO "auth_permission" VALUES(245,62,'add_staticdevice','Can add static device');
INSERT INTO "auth_permission" VALUES(246,62,'change_staticdevice','Can change static device');
INSERT INTO "auth_permission" VALUES(247,62,'delete_staticdevice','Can delete static device');
INSERT INTO "auth_permission" VALUES(248,62,'view_staticdevice','Can view static device');
INSERT INTO "auth_permission" VALUES(249,63,'add_statictoken','Can add static token');
INSERT INTO "auth_permission" VALUES(250,63,'change_statictoken','Can change static token');
INSERT INTO "auth_permission" VALUES(251,63,'delete_statictoken','Can delete static token');
INSERT INTO "auth_permission" VALUES(252,63,'view_statictoken','Can view static token');
CREATE TABLE "django_admin_log" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "object_id" text NULL, "object_repr" varchar(200) NOT NULL, "action_flag" smallint unsigned NOT NULL CHECK ("action_flag" >= 0), "change_message" text NOT NULL, "content_type_id" integer NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" bigint NOT NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "action_time" datetime NOT NULL);
CREATE TABLE "django_content_type" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app_label" varchar(100) NOT NULL, "model" varchar(100) NOT NULL);
INSERT INTO "django_content_type" VALUES(1,'tasks','user');
INSERT INTO "django_content_type" VALUES(2,'tasks','campaign');
INSERT INTO "django_content_type" VALUES(3,'tasks','consenttext');
INSERT INTO "django_content_type" VALUES(4,'tasks','invitation');
INSERT INTO "django_content_type" VALUES(5,'tasks','membership');
INSERT INTO "django_content_type" VALUES(6,'tasks','apitoken');
INSERT INTO "django_content_type" VALUES(7,'tasks','guideline');
INSERT INTO "django_content_type" VALUES(8,'tasks','auditentry');
INSERT INTO "django_content_type" VALUES(9,'tasks','document');
INSERT INTO "django_content_type" VALUES(10,'tasks','question');
INSERT INTO "django_content_type" VALUES(11,'tasks','item');
INSERT INTO "django_content_type" VALUES(12,'tasks','system');
INSERT INTO "django_content_type" VALUES(13,'tasks','itemsystem');
INSERT INTO "django_content_type" VALUES(14,'tasks','candidate');
INSERT INTO "django_content_type" VALUES(15,'tasks','crowdvisit');
INSERT INTO "django_content_type" VALUES(16,'tasks','generatedtext');
INSERT INTO "django_content_type" VALUES(17,'tasks','loginattempts');
INSERT INTO "django_content_type" VALUES(18,'tasks','slot');
INSERT INTO "django_content_type" VALUES(19,'tasks','assignment');
INSERT INTO "django_content_type" VALUES(20,'tasks','draft');
INSERT INTO "django_content_type" VALUES(21,'tasks','outcome');
INSERT INTO "django_content_type" VALUES(22,'tasks','rating');
INSERT INTO "django_content_type" VALUES(23,'tasks','firstlook');
INSERT INTO "django_content_type" VALUES(24,'tasks','adjudication');
INSERT INTO "django_content_type" VALUES(25,'tasks','seenvotes');
INSERT INTO "django_content_type" VALUES(26,'tasks','leftitem');
INSERT INTO "django_content_type" VALUES(27,'tasks','flag');
INSERT INTO "django_content_type" VALUES(28,'tasks','suggestion');
INSERT INTO "django_content_type" VALUES(29,'tasks','suggestionview');
INSERT INTO "django_content_type" VALUES(30,'tasks','consent');
INSERT INTO "django_content_type" VALUES(31,'tasks','expectedanswer');
INSERT INTO "django_content_type" VALUES(32,'tasks','calibrationattempt');
INSERT INTO "django_content_type" VALUES(33,'tasks','calibrationanswer');
INSERT INTO "django_content_type" VALUES(34,'tasks','assessment');
INSERT INTO "django_content_type" VALUES(35,'tasks','figures');
INSERT INTO "django_content_type" VALUES(36,'tasks','look');
INSERT INTO "django_content_type" VALUES(37,'tasks','alertrule');
INSERT INTO "django_content_type" VALUES(38,'tasks','alertchannels');
INSERT INTO "django_content_type" VALUES(39,'tasks','alert');
INSERT INTO "django_content_type" VALUES(40,'tasks','datasheetanswer');
INSERT INTO "django_content_type" VALUES(41,'tasks','release');
INSERT INTO "django_content_type" VALUES(42,'tasks','withdrawal');
INSERT INTO "django_content_type" VALUES(43,'tasks','job');
INSERT INTO "django_content_type" VALUES(44,'tasks','jobfailure');
INSERT INTO "django_content_type" VALUES(45,'tasks','evaluation');
INSERT INTO "django_content_type" VALUES(46,'tasks','submission');
INSERT INTO "django_content_type" VALUES(47,'tasks','submissionscore');
INSERT INTO "django_content_type" VALUES(48,'tasks','submissionwithdrawal');
INSERT INTO "django_content_type" VALUES(49,'tasks','leaderboard');
INSERT INTO "django_content_type" VALUES(50,'tasks','trainedmatcher');
INSERT INTO "django_content_type" VALUES(51,'tasks','webhook');
INSERT INTO "django_content_type" VALUES(52,'tasks','event');
INSERT INTO "django_content_type" VALUES(53,'tasks','delivery');
INSERT INTO "django_content_type" VALUES(54,'tasks','worker');
INSERT INTO "django_content_type" VALUES(55,'tasks','schedulertick');
INSERT INTO "django_content_type" VALUES(56,'admin','logentry');
INSERT INTO "django_content_type" VALUES(57,'auth','permission');
INSERT INTO "django_content_type" VALUES(58,'auth','group');
INSERT INTO "django_content_type" VALUES(59,'contenttypes','contenttype');
INSERT INTO "django_content_type" VALUES(60,'sessions','session');
INSERT INTO "django_content_type" VALUES(61,'otp_totp','totpdevice');
INSERT INTO "django_content_type" VALUES(62,'otp_static','staticdevice');
INSERT INTO "django_content_type" VALUES(63,'otp_static','statictoken');
CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL, "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);
INSERT INTO "django_migrations" VALUES(1,'contenttypes','0001_initial','2026-11-23 07:09:58.677539');
INSERT INTO "django_migrations" VALUES(2,'contenttypes','0002_remove_content_type_name','2026-11-23 07:09:58.700894');
INSERT INTO "django_migrations" VALUES(3,'auth','0001_initial','2026-11-23 07:09:58.737894');
INSERT INTO "django_migrations" VALUES(4,'auth','0002_alter_permission_name_max_length','2026-11-23 07:09:58.766307');
INSERT INTO "django_migrations" VALUES(5,'auth','0003_alter_user_email_max_length','2026-11-23 07:09:58.778843');
INSERT INTO "django_migrations" VALUES(6,'auth','0004_alter_user_username_opts','2026-11-23 07:09:58.791014');
INSERT INTO "django_migrations" VALUES(7,'auth','0005_alter_user_last_login_null','2026-11-23 07:09:58.801585');
INSERT INTO "django_migrations" VALUES(8,'auth','0006_require_contenttypes_0002','2026-11-23 07:09:58.822947');
INSERT INTO "django_migrations" VALUES(9,'auth','0007_alter_validators_add_error_messages','2026-11-23 07:09:58.840981');
INSERT INTO "django_migrations" VALUES(10,'auth','0008_alter_user_username_max_length','2026-11-23 07:09:58.867181');
INSERT INTO "django_migrations" VALUES(11,'auth','0009_alter_user_last_name_max_length','2026-11-23 07:09:58.893085');
INSERT INTO "django_migrations" VALUES(12,'auth','0010_alter_group_name_max_length','2026-11-23 07:09:58.913273');
INSERT INTO "django_migrations" VALUES(13,'auth','0011_update_proxy_permissions','2026-11-23 07:09:58.933401');
INSERT INTO "django_migrations" VALUES(14,'auth','0012_alter_user_first_name_max_length','2026-11-23 07:09:58.949491');
INSERT INTO "django_migrations" VALUES(15,'tasks','0001_initial','2026-11-23 07:10:01.867636');
INSERT INTO "django_migrations" VALUES(16,'admin','0001_initial','2026-11-23 07:10:01.922956');
INSERT INTO "django_migrations" VALUES(17,'admin','0002_logentry_remove_auto_add','2026-11-23 07:10:02.002309');
INSERT INTO "django_migrations" VALUES(18,'admin','0003_logentry_add_action_flag_choices','2026-11-23 07:10:02.038517');
INSERT INTO "django_migrations" VALUES(19,'otp_static','0001_initial','2026-11-23 07:10:02.739231');
INSERT INTO "django_migrations" VALUES(20,'otp_static','0002_throttling','2026-11-23 07:10:02.813524');
INSERT INTO "django_migrations" VALUES(21,'otp_static','0003_add_timestamps','2026-11-23 07:10:03.073432');
INSERT INTO "django_migrations" VALUES(22,'otp_totp','0001_initial','2026-11-23 07:10:03.243527');
INSERT INTO "django_migrations" VALUES(23,'otp_totp','0002_auto_20190420_0723','2026-11-23 07:10:03.350392');
INSERT INTO "django_migrations" VALUES(24,'otp_totp','0003_add_timestamps','2026-11-23 07:10:03.440603');
INSERT INTO "django_migrations" VALUES(25,'sessions','0001_initial','2026-11-23 07:10:03.470970');
CREATE TABLE "django_session" ("session_key" varchar(40) NOT NULL PRIMARY KEY, "session_data" text NOT NULL, "expire_date" datetime NOT NULL);
CREATE TABLE "otp_static_staticdevice" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(64) NOT NULL, "confirmed" bool NOT NULL, "user_id" bigint NOT NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "throttling_failure_count" integer unsigned NOT NULL CHECK ("throttling_failure_count" >= 0), "throttling_failure_timestamp" datetime NULL, "created_at" datetime NULL, "last_used_at" datetime NULL);
CREATE TABLE "otp_static_statictoken" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "token" varchar(16) NOT NULL, "device_id" integer NOT NULL REFERENCES "otp_static_staticdevice" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "otp_totp_totpdevice" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(64) NOT NULL, "confirmed" bool NOT NULL, "key" varchar(80) NOT NULL, "step" smallint unsigned NOT NULL CHECK ("step" >= 0), "t0" bigint NOT NULL, "digits" smallint unsigned NOT NULL CHECK ("digits" >= 0), "tolerance" smallint unsigned NOT NULL CHECK ("tolerance" >= 0), "drift" smallint NOT NULL, "last_t" bigint NOT NULL, "user_id" bigint NOT NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "throttling_failure_count" integer unsigned NOT NULL CHECK ("throttling_failure_count" >= 0), "throttling_failure_timestamp" datetime NULL, "created_at" datetime NULL, "last_used_at" datetime NULL);
CREATE TABLE "tasks_adjudication" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "reason" text NOT NULL, "idempotency_key" varchar(100) NOT NULL, "payload_hash" varchar(64) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "supersedes_id" bigint NULL UNIQUE REFERENCES "tasks_adjudication" ("id") DEFERRABLE INITIALLY DEFERRED, "guideline_id" bigint NULL REFERENCES "tasks_guideline" ("id") DEFERRABLE INITIALLY DEFERRED, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "adjudicator_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "first_outcome_id" varchar(200) NULL REFERENCES "tasks_outcome" ("id") DEFERRABLE INITIALLY DEFERRED, "outcome_id" varchar(200) NOT NULL REFERENCES "tasks_outcome" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "adjudication_key_once" UNIQUE ("adjudicator_id", "idempotency_key"), CONSTRAINT "adjudication_has_a_reason" CHECK (NOT ("reason" = '')));
INSERT INTO "tasks_adjudication" VALUES(1,'the same place','0','3885c1edfe7db763934e46195d1b8fd9ca5cdad46a2728866a0bea2180318f38','2026-11-23 07:10:10.000',NULL,1,1,6,'ae:q1=no,q2=yes','ae:q1=no,q2=yes');
CREATE TABLE "tasks_alert" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "subject" varchar(200) NOT NULL, "occasion" varchar(40) NOT NULL, "evidence" text NOT NULL CHECK ((JSON_VALID("evidence") OR "evidence" IS NULL)), "raised_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "acknowledged_at" datetime NULL, "note" varchar(500) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "look_id" bigint NULL REFERENCES "tasks_look" ("id") DEFERRABLE INITIALLY DEFERRED, "acknowledged_by_id" bigint NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "alert_once_per_occasion" UNIQUE ("campaign_id", "kind", "subject", "occasion"), CONSTRAINT "alert_kind_known" CHECK ("kind" IN ('alpha', 'drift', 'controls', 'speed', 'confusion', 'steering', 'stalled', 'trial')));
CREATE TABLE "tasks_alertchannels" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "sends_mail" bool NOT NULL, "webhook_url" varchar(500) NOT NULL, "webhook_secret" varchar(100) NOT NULL, "campaign_id" bigint NOT NULL UNIQUE REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_alertdelivery" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "channel" varchar(20) NOT NULL, "attempts" smallint unsigned NOT NULL CHECK ("attempts" >= 0), "not_before" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "sent_at" datetime NULL, "error" text NOT NULL, "alert_id" bigint NULL REFERENCES "tasks_alert" ("id") DEFERRABLE INITIALLY DEFERRED, "event_id" bigint NULL REFERENCES "tasks_event" ("id") DEFERRABLE INITIALLY DEFERRED, "webhook_id" bigint NULL REFERENCES "tasks_webhook" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "told_once_per_channel" UNIQUE ("alert_id", "channel"), CONSTRAINT "told_once_per_webhook" UNIQUE ("event_id", "webhook_id"), CONSTRAINT "channel_known" CHECK ("channel" IN ('mail', 'webhook')), CONSTRAINT "alert_or_event_is_told" CHECK ((("alert_id" IS NOT NULL AND "event_id" IS NULL AND "webhook_id" IS NULL) OR ("alert_id" IS NULL AND "event_id" IS NOT NULL AND "webhook_id" IS NOT NULL))));
CREATE TABLE "tasks_alertrule" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "is_active" bool NOT NULL, "threshold" real NULL, "hours" smallint unsigned NULL CHECK ("hours" >= 0), "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "one_rule_per_kind" UNIQUE ("campaign_id", "kind"), CONSTRAINT "rule_of_a_known_kind" CHECK ("kind" IN ('alpha', 'drift', 'controls', 'speed', 'confusion', 'steering', 'stalled', 'trial')));
CREATE TABLE "tasks_apitoken" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL, "digest" varchar(64) NOT NULL UNIQUE, "scopes" text NOT NULL CHECK ((JSON_VALID("scopes") OR "scopes" IS NULL)), "expires_at" datetime NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "user_id" bigint NOT NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "campaign_id" bigint NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_assessment" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "newest_rating" bigint NOT NULL, "ratings" integer unsigned NOT NULL CHECK ("ratings" >= 0), "asked_at" datetime NULL, "begun_at" datetime NULL, "made_at" datetime NULL, "attempt" integer unsigned NOT NULL CHECK ("attempt" >= 0), "error" text NOT NULL, "campaign_id" bigint NOT NULL UNIQUE REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_assignment" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "state" varchar(20) NOT NULL, "skip_reason" varchar(500) NOT NULL, "claimed_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "rater_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "slot_id" bigint NOT NULL REFERENCES "tasks_slot" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "item_once_per_rater" UNIQUE ("item_id", "rater_id"), CONSTRAINT "assignment_state_known" CHECK ("state" IN ('active', 'submitted', 'skipped')));
INSERT INTO "tasks_assignment" VALUES(1,'submitted','','2026-11-23 07:10:09.450',5,5,10);
INSERT INTO "tasks_assignment" VALUES(2,'submitted','','2026-11-23 07:10:09.485',3,5,6);
INSERT INTO "tasks_assignment" VALUES(3,'submitted','','2026-11-23 07:10:09.518',6,5,11);
INSERT INTO "tasks_assignment" VALUES(4,'submitted','','2026-11-23 07:10:09.542',4,5,8);
CREATE TABLE "tasks_auditentry" ("sequence" bigint NOT NULL PRIMARY KEY, "at" datetime NOT NULL, "actor_kind" varchar(20) NOT NULL, "actor" varchar(255) NOT NULL, "role" varchar(20) NOT NULL, "via" varchar(100) NOT NULL, "action" varchar(40) NOT NULL, "subject_kind" varchar(30) NOT NULL, "subject" varchar(300) NOT NULL, "details" text NOT NULL, "previous" varchar(64) NOT NULL UNIQUE, "hash" varchar(64) NOT NULL UNIQUE, "user_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "campaign_id" bigint NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "audit_from_one" CHECK ("sequence" >= 1), CONSTRAINT "actor_kind_known" CHECK ("actor_kind" IN ('person', 'visitor', 'command', 'worker')));
INSERT INTO "tasks_auditentry" VALUES(1,'2026-11-23 07:10:07.101000','command','root','','python','guidelines.published','guidelines','version 1','{"sha256": "255e045eb336a9aeb08a9ed36c8ab6a09d39e96bda5ba376a3c7efd3083e3303"}','0000000000000000000000000000000000000000000000000000000000000000','9f552fb1e5e60f49b56fe2e3165f8ea490ed44a8c81b85a83b1363bcac8ae4f7',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(2,'2026-11-23 07:10:07.101000','command','root','','python','campaign.created','campaign','ae','{"overlap": 2, "protocol": "ae", "suggestions": "hidden"}','9f552fb1e5e60f49b56fe2e3165f8ea490ed44a8c81b85a83b1363bcac8ae4f7','0c4894cd0dc5e71b93f819df265d609a7ee4e9042893450f409fe9c223480e53',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(3,'2026-11-23 07:10:07.198000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','0c4894cd0dc5e71b93f819df265d609a7ee4e9042893450f409fe9c223480e53','4908086157edf937cba6740bc199312d9325e780adb24c8741124c1fa6756b50',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(4,'2026-11-23 07:10:07.289000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','4908086157edf937cba6740bc199312d9325e780adb24c8741124c1fa6756b50','91368da2d3317dcfb18e1eb7831a79f5634b883d7bedc009573b7e4aa6ba5946',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(5,'2026-11-23 07:10:07.396000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','91368da2d3317dcfb18e1eb7831a79f5634b883d7bedc009573b7e4aa6ba5946','d7604e15ded76bca740ff59955ab7335856ea46f64f0434ea285a17e6b91c499',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(6,'2026-11-23 07:10:07.478000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','d7604e15ded76bca740ff59955ab7335856ea46f64f0434ea285a17e6b91c499','5743348ff630658e260f04f9223e8b22b9be46ee92e23c0a5319aa09b33d347c',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(7,'2026-11-23 07:10:07.546000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','5743348ff630658e260f04f9223e8b22b9be46ee92e23c0a5319aa09b33d347c','c7e0e3f2ab2dd4d008507c2f81d035fa1bb21b019f8921a5d93c9479721dc407',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(8,'2026-11-23 07:10:07.610000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','c7e0e3f2ab2dd4d008507c2f81d035fa1bb21b019f8921a5d93c9479721dc407','0b3561dcc7001e569b6c6191d6438923a41f3c3707d9e3278bbbf16d07f27fbe',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(9,'2026-11-23 07:10:07.647000','command','root','','python','import.done','file','ratings','{"items_created": 0, "raters": 1, "ratings_created": 5, "ratings_existing": 0}','0b3561dcc7001e569b6c6191d6438923a41f3c3707d9e3278bbbf16d07f27fbe','97eb18b3dda4528c1622b2396af7d1716a09b2401a1c0c25794577d0baa43502',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(10,'2026-11-23 07:10:07.662000','command','root','','python','guidelines.published','guidelines','version 1','{"sha256": "4bfdca677f69a019dfcb67c3c943f6a5833b5b3ff103d460697893e9fe3d75be"}','97eb18b3dda4528c1622b2396af7d1716a09b2401a1c0c25794577d0baa43502','3e0a3adc53badfd0536403e878a168e5d8e8575a746b44412f409e9257da1154',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(11,'2026-11-23 07:10:07.666000','command','root','','python','campaign.created','campaign','cap','{"overlap": 2, "protocol": "cap", "suggestions": "hidden"}','3e0a3adc53badfd0536403e878a168e5d8e8575a746b44412f409e9257da1154','2f2a30c2bd416826478b345d17b04ce57a92a398fa7d5d148cdedf678527c5e1',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(12,'2026-11-23 07:10:07.740000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','2f2a30c2bd416826478b345d17b04ce57a92a398fa7d5d148cdedf678527c5e1','b1ceb83e221b5e7612a1089d7f876f4a9a2b3fd844e3f703e637e491deb0154b',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(13,'2026-11-23 07:10:07.874000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','b1ceb83e221b5e7612a1089d7f876f4a9a2b3fd844e3f703e637e491deb0154b','87da1183e8464e52cd5c9939dc0141d28ef94629aa858022003d873846f5c57d',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(14,'2026-11-23 07:10:07.932000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','87da1183e8464e52cd5c9939dc0141d28ef94629aa858022003d873846f5c57d','d87e64069a076c6aa9a44ef6bfb811f31d75aaae62b69a658287f3a0c5df6e9f',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(15,'2026-11-23 07:10:07.990000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','d87e64069a076c6aa9a44ef6bfb811f31d75aaae62b69a658287f3a0c5df6e9f','84e9b9cffc80ae499278c0ac4012522fed1a471b694016ee9904833f3b7787a2',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(16,'2026-11-23 07:10:08.026000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','84e9b9cffc80ae499278c0ac4012522fed1a471b694016ee9904833f3b7787a2','c7357cf8afb834a60f1e76cf908598ca964227ca477c0c8036013b35defc826c',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(17,'2026-11-23 07:10:08.051000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','c7357cf8afb834a60f1e76cf908598ca964227ca477c0c8036013b35defc826c','4d9a3e1ae1fe7c212a78911b3b9e9ed046b6bb5d4c96ba8cd0231e22712d659e',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(18,'2026-11-23 07:10:08.091000','command','root','','python','import.done','file','ratings','{"items_created": 0, "raters": 1, "ratings_created": 5, "ratings_existing": 0}','4d9a3e1ae1fe7c212a78911b3b9e9ed046b6bb5d4c96ba8cd0231e22712d659e','b7e6d8abacf9bccb8091c62e8ede04ccee41d87b903c437b81f243d2942eb022',NULL,2);
INSERT INTO "tasks_auditentry" VALUES(19,'2026-11-23 07:10:08.104000','command','root','','python','guidelines.published','guidelines','version 1','{"sha256": "a16dd790412eb04ddcc2e48f58cd0334404b42adcbae0fb924981e903df18c76"}','b7e6d8abacf9bccb8091c62e8ede04ccee41d87b903c437b81f243d2942eb022','26dae05b439b2a2b9c33f1be15ee61d9d8feddf9b2eb75932e83515aadc05089',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(20,'2026-11-23 07:10:08.105000','command','root','','python','campaign.created','campaign','rules','{"overlap": 2, "protocol": "rules", "suggestions": "hidden"}','26dae05b439b2a2b9c33f1be15ee61d9d8feddf9b2eb75932e83515aadc05089','f0e32993911b7ecd4d48a4d3b68cb999485f14b30b0781610b7e6b47bde453d3',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(21,'2026-11-23 07:10:08.157000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','f0e32993911b7ecd4d48a4d3b68cb999485f14b30b0781610b7e6b47bde453d3','80a907ef4c593995b1a8e4ab3ffc5ae36b36407cac09c8133db83b2f77f7b22b',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(22,'2026-11-23 07:10:08.213000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','80a907ef4c593995b1a8e4ab3ffc5ae36b36407cac09c8133db83b2f77f7b22b','e9aa28192390785e4a91bc80e63c1d12bf08169b9135d21ac0f9621ae6aecaad',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(23,'2026-11-23 07:10:08.267000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','e9aa28192390785e4a91bc80e63c1d12bf08169b9135d21ac0f9621ae6aecaad','4c83e0fecacd1daab2e5b0320c4b8170b385bedcb5a5cddbfdef13200077d97b',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(24,'2026-11-23 07:10:08.335000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','4c83e0fecacd1daab2e5b0320c4b8170b385bedcb5a5cddbfdef13200077d97b','69ecde6cfabe309eaba9e73ed5816f1f883381f7c418d3614d7d5912361a14c7',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(25,'2026-11-23 07:10:08.399000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','69ecde6cfabe309eaba9e73ed5816f1f883381f7c418d3614d7d5912361a14c7','26064822e236f6d6bbaee53ce201e7b287e81c614495dc106d55a334982f0683',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(26,'2026-11-23 07:10:08.457000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','26064822e236f6d6bbaee53ce201e7b287e81c614495dc106d55a334982f0683','cc5dfda2eea31e0ac6f93803bd79034b262d770998f4ebc852898a0cdb3933fa',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(27,'2026-11-23 07:10:08.505000','command','root','','python','import.done','file','ratings','{"items_created": 0, "raters": 1, "ratings_created": 5, "ratings_existing": 0}','cc5dfda2eea31e0ac6f93803bd79034b262d770998f4ebc852898a0cdb3933fa','d19e0611dd3949c48b4d0c62f5c39be68f5b0471041819190e438d7811bb89f5',NULL,3);
INSERT INTO "tasks_auditentry" VALUES(28,'2026-11-23 07:10:08.518000','command','root','','python','guidelines.published','guidelines','version 1','{"sha256": "23a7d3d2fdac48d9a8f7acb50bd3315d2f5b79386933071d4ad4b3fac1273c6c"}','d19e0611dd3949c48b4d0c62f5c39be68f5b0471041819190e438d7811bb89f5','4136d27ba07776ff34c28103dcb50945bb8c367d31c12661a26c3ea77155633f',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(29,'2026-11-23 07:10:08.518000','command','root','','python','campaign.created','campaign','statement','{"overlap": 2, "protocol": "statement", "suggestions": "hidden"}','4136d27ba07776ff34c28103dcb50945bb8c367d31c12661a26c3ea77155633f','cffd5f756d35e8acfb043bb6f31e637cd05f1ac343410e2f96523b08ea7d2124',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(30,'2026-11-23 07:10:08.660000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','cffd5f756d35e8acfb043bb6f31e637cd05f1ac343410e2f96523b08ea7d2124','4b0e41bcbbeb6ed089fc66174c6657bf39e894dc68c0273aef3d78000d29cdad',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(31,'2026-11-23 07:10:08.689000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','4b0e41bcbbeb6ed089fc66174c6657bf39e894dc68c0273aef3d78000d29cdad','2acb62a7e78ee9f16d6583758dd733464aae134bb8a53e3279bd3f6d44af4324',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(32,'2026-11-23 07:10:08.783000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','2acb62a7e78ee9f16d6583758dd733464aae134bb8a53e3279bd3f6d44af4324','886ad02aa6dc624222d184e33945195cda5f48a23d6123b1f0691cfb3f2da040',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(33,'2026-11-23 07:10:08.842000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','886ad02aa6dc624222d184e33945195cda5f48a23d6123b1f0691cfb3f2da040','c4f44c814501175601d16d8920cfebd49dcea8b2898dde4f1e6a82ebab4820f5',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(34,'2026-11-23 07:10:08.899000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','c4f44c814501175601d16d8920cfebd49dcea8b2898dde4f1e6a82ebab4820f5','46c2f49399608b7e0d8ec30e8239b6190a91678421216168c11658f20048aee9',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(35,'2026-11-23 07:10:08.968000','command','root','','python','import.done','file','items','{"items_created": 1, "items_existing": 0}','46c2f49399608b7e0d8ec30e8239b6190a91678421216168c11658f20048aee9','7c22112d7a968e41bfe5df309d7b92b71355b30cfa6f1565145a6681e837612b',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(36,'2026-11-23 07:10:09.004000','command','root','','python','import.done','file','ratings','{"items_created": 0, "raters": 1, "ratings_created": 5, "ratings_existing": 0}','7c22112d7a968e41bfe5df309d7b92b71355b30cfa6f1565145a6681e837612b','bcee6add81f77c25b92c92dbe682ebf5feccf59bd9e8ef004e1c29fa4e50a8be',NULL,4);
INSERT INTO "tasks_auditentry" VALUES(37,'2026-11-23 07:10:09.433000','command','root','','python','member.added','member','rater-of-ae','{"role": "rater"}','bcee6add81f77c25b92c92dbe682ebf5feccf59bd9e8ef004e1c29fa4e50a8be','74d58b6fb14ad77cc86011e9717c1635e49c44740069f8988a1c50cab4cb9e52',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(38,'2026-11-23 07:10:09.953000','command','root','','python','member.added','member','expert-of-ae','{"role": "researcher"}','74d58b6fb14ad77cc86011e9717c1635e49c44740069f8988a1c50cab4cb9e52','91e5d9d9dc0d15b192ea4d44ae5466c862d9c7cbccfe4787e96e80eeb4d9929c',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(39,'2026-11-23 07:10:10','person','expert-of-ae','researcher','python','adjudication.decided','item','item-0','{"supersedes_earlier": false}','91e5d9d9dc0d15b192ea4d44ae5466c862d9c7cbccfe4787e96e80eeb4d9929c','e0e913f40841c0b2130a3dc990dfe8aa36aa806a8e3439b38566afe71e5f0f9f',2,1);
INSERT INTO "tasks_auditentry" VALUES(40,'2026-11-23 07:10:10.067000','command','root','','python','webhook.added','webhook','hooks.example','{"events": ["rating.stored"]}','e0e913f40841c0b2130a3dc990dfe8aa36aa806a8e3439b38566afe71e5f0f9f','2cfaa3d5879220ffeca06da2a984066c19d29d41ffbe3f48cc48f02c6332c711',NULL,1);
INSERT INTO "tasks_auditentry" VALUES(41,'2026-11-23 07:10:12.752000','command','root','','manage.py release','release.made','release','1.0.0','{"digest": "c5ac0b1913851e2a458854782d2d7af0d0a88fcf346e566509e87e3c986e1311", "items": 6, "ratings": 9}','2cfaa3d5879220ffeca06da2a984066c19d29d41ffbe3f48cc48f02c6332c711','5fa00e3c52f4e427940d3d8a52a6b731748b0d01facda10f20081f241d67cce4',NULL,1);
CREATE TABLE "tasks_calibrationanswer" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "given_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "attempt_id" bigint NOT NULL REFERENCES "tasks_calibrationattempt" ("id") DEFERRABLE INITIALLY DEFERRED, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "outcome_id" varchar(200) NOT NULL REFERENCES "tasks_outcome" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "calibration_answer_once" UNIQUE ("attempt_id", "item_id"));
CREATE TABLE "tasks_calibrationattempt" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "started_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "finished_at" datetime NULL, "is_passed" bool NULL, "guideline_id" bigint NOT NULL REFERENCES "tasks_guideline" ("id") DEFERRABLE INITIALLY DEFERRED, "membership_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "calibration_attempt_unique" UNIQUE ("membership_id", "number"), CONSTRAINT "calibration_decided_when_finished" CHECK ((("finished_at" IS NULL AND "is_passed" IS NULL) OR ("finished_at" IS NOT NULL AND "is_passed" IS NOT NULL))));
CREATE TABLE "tasks_campaign" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "slug" varchar(60) NOT NULL UNIQUE, "title" varchar(200) NOT NULL, "description" text NOT NULL, "protocol" varchar(40) NOT NULL, "overlap" smallint unsigned NOT NULL CHECK ("overlap" >= 0), "suggestions" varchar(20) NOT NULL, "suggestion_matcher" varchar(80) NOT NULL, "state" varchar(20) NOT NULL, "lease_minutes" smallint unsigned NOT NULL CHECK ("lease_minutes" >= 0), "item_order" varchar(20) NOT NULL, "rater_quota" integer unsigned NULL CHECK ("rater_quota" >= 0), "control_every" smallint unsigned NOT NULL CHECK ("control_every" >= 0), "shows_differences" bool NOT NULL, "adjudicates_blind" bool NOT NULL, "requires_calibration" bool NOT NULL, "calibration_pass_percent" smallint unsigned NOT NULL CHECK ("calibration_pass_percent" >= 0), "calibration_attempts" smallint unsigned NOT NULL CHECK ("calibration_attempts" >= 0), "completion_code" varchar(100) NOT NULL, "completion_url" varchar(500) NOT NULL, "seed" integer unsigned NOT NULL CHECK ("seed" >= 0), "language" varchar(35) NOT NULL, "licence" varchar(60) NOT NULL, "webhook_events" text DEFAULT '' NOT NULL, "intakes" bigint unsigned DEFAULT 0 NOT NULL CHECK ("intakes" >= 0), "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "created_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "consent_text_id" bigint NULL REFERENCES "tasks_consenttext" ("id") DEFERRABLE INITIALLY DEFERRED, "guideline_id" bigint NULL REFERENCES "tasks_guideline" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "overlap_in_range" CHECK (("overlap" >= 1 AND "overlap" <= 100)), CONSTRAINT "suggestion_policy_known" CHECK ("suggestions" IN ('hidden', 'before', 'after', 'randomised')), CONSTRAINT "campaign_state_known" CHECK ("state" IN ('open', 'paused')), CONSTRAINT "item_order_known" CHECK ("item_order" IN ('complete', 'random', 'oldest', 'uncertain')), CONSTRAINT "pass_percent_in_range" CHECK (("calibration_pass_percent" >= 1 AND "calibration_pass_percent" <= 100)));
INSERT INTO "tasks_campaign" VALUES(1,'ae','ae','','ae',2,'hidden','feather','open',30,'complete',NULL,0,1,1,0,80,3,'','',0,'en','cc-by-4.0','rating.stored',7,'2026-11-23 07:10:07.099',NULL,NULL,1);
INSERT INTO "tasks_campaign" VALUES(2,'cap','cap','','cap',2,'hidden','feather','open',30,'complete',NULL,0,1,1,0,80,3,'','',0,'en','cc-by-4.0','',7,'2026-11-23 07:10:07.661',NULL,NULL,2);
INSERT INTO "tasks_campaign" VALUES(3,'rules','rules','','rules',2,'hidden','feather','open',30,'complete',NULL,0,1,1,0,80,3,'','',0,'en','cc-by-4.0','',7,'2026-11-23 07:10:08.103',NULL,NULL,3);
INSERT INTO "tasks_campaign" VALUES(4,'statement','statement','','statement',2,'hidden','feather','open',30,'complete',NULL,0,1,1,0,80,3,'','',0,'en','cc-by-4.0','',7,'2026-11-23 07:10:08.516',NULL,NULL,4);
CREATE TABLE "tasks_candidate" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "text" text NOT NULL, "is_exact_match" bool NOT NULL, "score" real NULL, "alternatives" text NOT NULL CHECK ((JSON_VALID("alternatives") OR "alternatives" IS NULL)), "provenance" text NOT NULL CHECK ((JSON_VALID("provenance") OR "provenance" IS NULL)), "question_id" bigint NOT NULL REFERENCES "tasks_question" ("id") DEFERRABLE INITIALLY DEFERRED, "system_id" bigint NOT NULL REFERENCES "tasks_system" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "one_candidate_per_question" UNIQUE ("system_id", "question_id"));
CREATE TABLE "tasks_consent" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "given_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "text_id" bigint NOT NULL REFERENCES "tasks_consenttext" ("id") DEFERRABLE INITIALLY DEFERRED, "membership_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "consent_given_once" UNIQUE ("membership_id", "text_id"));
CREATE TABLE "tasks_consenttext" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "version" integer unsigned NOT NULL CHECK ("version" >= 0), "text" text NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "consent_text_version_unique" UNIQUE ("campaign_id", "version"));
CREATE TABLE "tasks_crowdvisit" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "participant" varchar(200) NOT NULL, "study" varchar(200) NOT NULL, "session" varchar(200) NOT NULL, "entered_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "membership_id" bigint NOT NULL UNIQUE REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "participant_once_per_campaign" UNIQUE ("campaign_id", "participant"));
CREATE TABLE "tasks_datasheetanswer" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "question" varchar(40) NOT NULL, "text" text NOT NULL, "written_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "written_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_document" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "key" varchar(255) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "document_key_unique" UNIQUE ("campaign_id", "key"));
INSERT INTO "tasks_document" VALUES(1,'document-0',1);
INSERT INTO "tasks_document" VALUES(2,'document-1',1);
INSERT INTO "tasks_document" VALUES(3,'document-2',1);
INSERT INTO "tasks_document" VALUES(4,'document-3',1);
INSERT INTO "tasks_document" VALUES(5,'document-4',1);
INSERT INTO "tasks_document" VALUES(6,'document-5',1);
INSERT INTO "tasks_document" VALUES(7,'document-0',2);
INSERT INTO "tasks_document" VALUES(8,'document-1',2);
INSERT INTO "tasks_document" VALUES(9,'document-2',2);
INSERT INTO "tasks_document" VALUES(10,'document-3',2);
INSERT INTO "tasks_document" VALUES(11,'document-4',2);
INSERT INTO "tasks_document" VALUES(12,'document-5',2);
INSERT INTO "tasks_document" VALUES(13,'document-0',3);
INSERT INTO "tasks_document" VALUES(14,'document-1',3);
INSERT INTO "tasks_document" VALUES(15,'document-2',3);
INSERT INTO "tasks_document" VALUES(16,'document-3',3);
INSERT INTO "tasks_document" VALUES(17,'document-4',3);
INSERT INTO "tasks_document" VALUES(18,'document-5',3);
INSERT INTO "tasks_document" VALUES(19,'document-0',4);
INSERT INTO "tasks_document" VALUES(20,'document-1',4);
INSERT INTO "tasks_document" VALUES(21,'document-2',4);
INSERT INTO "tasks_document" VALUES(22,'document-3',4);
INSERT INTO "tasks_document" VALUES(23,'document-4',4);
INSERT INTO "tasks_document" VALUES(24,'document-5',4);
CREATE TABLE "tasks_draft" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "answers" text NOT NULL CHECK ((JSON_VALID("answers") OR "answers" IS NULL)), "comment" text NOT NULL, "seconds" real NOT NULL, "updated_at" datetime NOT NULL, "assignment_id" bigint NOT NULL REFERENCES "tasks_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "guideline_id" bigint NOT NULL REFERENCES "tasks_guideline" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "one_draft_per_guideline" UNIQUE ("assignment_id", "guideline_id"));
CREATE TABLE "tasks_evaluation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "parameters" text NOT NULL CHECK ((JSON_VALID("parameters") OR "parameters" IS NULL)), "digest" varchar(64) NOT NULL, "report" text NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "created_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "job_id" bigint NOT NULL UNIQUE REFERENCES "tasks_job" ("id") DEFERRABLE INITIALLY DEFERRED, "release_id" bigint NULL REFERENCES "tasks_release" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "evaluation_has_digest_and_report" CHECK ((NOT ("digest" = '') AND NOT ("report" = ''))));
CREATE TABLE "tasks_event" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "uid" char(32) NOT NULL UNIQUE, "kind" varchar(40) NOT NULL, "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "event_kind_known" CHECK ("kind" IN ('rating.stored', 'rating.revised', 'item.completed', 'campaign.completed', 'adjudication.decided', 'release.published', 'release.withdrawn', 'job.done', 'job.failed', 'import.done', 'alert.raised', 'webhook.tried')));
CREATE TABLE "tasks_expectedanswer" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "explanation" text NOT NULL, "item_id" bigint NOT NULL UNIQUE REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "outcome_id" varchar(200) NOT NULL REFERENCES "tasks_outcome" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_figures" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(40) NOT NULL, "content" text NOT NULL, "assessment_id" bigint NOT NULL REFERENCES "tasks_assessment" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "figures_once_per_name" UNIQUE ("assessment_id", "name"));
CREATE TABLE "tasks_firstlook" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "adjudicator_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "outcome_id" varchar(200) NOT NULL REFERENCES "tasks_outcome" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "one_first_look" UNIQUE ("item_id", "adjudicator_id"));
INSERT INTO "tasks_firstlook" VALUES(1,'2026-11-23 07:10:09.974',1,6,'ae:q1=no,q2=yes');
CREATE TABLE "tasks_flag" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "reason" varchar(500) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "settled_at" datetime NULL, "settlement" varchar(500) NOT NULL, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "rater_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "settled_by_id" bigint NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "flag_settled_by_somebody" CHECK ((("settled_at" IS NULL AND "settled_by_id" IS NULL) OR ("settled_at" IS NOT NULL AND "settled_by_id" IS NOT NULL))));
CREATE TABLE "tasks_generatedtext" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "target" varchar(100) NOT NULL, "question" text NOT NULL, "question_type" varchar(60) NOT NULL, "reference" text NOT NULL, "candidate" text NOT NULL, "system" varchar(255) NOT NULL, "provenance" text NOT NULL CHECK ((JSON_VALID("provenance") OR "provenance" IS NULL)), "error" text NOT NULL, "fingerprint" varchar(64) NOT NULL, "state" varchar(20) NOT NULL, "reviewed_at" datetime NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "reviewed_by_id" bigint NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "source_id" bigint NULL REFERENCES "tasks_question" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "generated_text_once" UNIQUE ("campaign_id", "kind", "fingerprint"), CONSTRAINT "generated_kind_known" CHECK ("kind" IN ('candidates', 'statements', 'rules')), CONSTRAINT "generated_state_says_who_reviewed" CHECK ((("state" IN ('pending', 'failed') AND "reviewed_at" IS NULL AND "reviewed_by_id" IS NULL) OR ("state" IN ('approved', 'rejected') AND "reviewed_at" IS NOT NULL AND "reviewed_by_id" IS NOT NULL))), CONSTRAINT "generated_text_or_error" CHECK ((("candidate" = '' AND "state" = 'failed' AND NOT ("error" = '')) OR (NOT ("state" = 'failed') AND "error" = '' AND NOT ("candidate" = '')))));
CREATE TABLE "tasks_guideline" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "version" integer unsigned NOT NULL CHECK ("version" >= 0), "text" text NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "guideline_version_unique" UNIQUE ("campaign_id", "version"));
INSERT INTO "tasks_guideline" VALUES(1,1,'# Answer equivalence

You see a question, the passage that holds the answer, a *first answer* that is known to be right, and a *second answer* that a system gave. You judge one thing: may the second answer stand in place of the first, for somebody who asks this question?

Go by the passage and by what everybody knows. The second answer may be worded quite differently, and it may even be better than the first.

## The four questions

The wording, with the note to question 2, is that of Bulian et al. (2022), §3.1.

1. **“Is the second answer a completely different answer?”** Yes, if it names another thing, person, place, time or amount, or does not answer the question at all. The number of shared words does not matter.
2. **“Would using the second answer in place of the first answer convey at least the same information to someone asking this question, without leaving out any important information nor adding any misleading or superfluous information?”** “(Note that either adding important information or removing superfluous or misleading information in the second answer from the first answer would still convey at least the same information.)”
3. **“Does the second answer remove important information?”** Important is what the person who asks would miss.
4. **“Does the second answer add misleading or excessive superfluous information?”** A false or unsupported addition misleads. A true one is excessive only if it buries the answer.

*Yes* to question 1 ends the rating. So does *yes* to question 2. Otherwise you answer questions 3 and 4 as well.

The label is `equivalent` after *no* to question 1 and *yes* to question 2. Everything else is `not-equivalent`.

## One example for each outcome

> **Question** Where does the egg of an emperor penguin stay warm?
>
> **Passage** The female lays a single egg in May and passes it to the male. While she feeds at sea, he carries it on his feet under a fold of skin for about nine weeks.
>
> **First answer** on his feet under a fold of skin

| second answer | answers | why |
| --- | --- | --- |
| at sea | 1 yes | a completely different place |
| on top of the feet, covered by a flap of skin | 1 no, 2 yes | the same in other words |
| on the father''s feet, under a fold of skin | 1 no, 2 yes | also says whose feet: an important addition |
| under a fold of skin | 1 no, 2 no, 3 yes, 4 no | loses the feet |
| on his feet under a fold of skin, inside a nest of stones | 1 no, 2 no, 3 no, 4 yes | there is no nest: the addition misleads |
| in a nest of stones, under a fold of skin | 1 no, 2 no, 3 yes, 4 yes | loses the feet and adds the nest |
| on his feet above a fold of skin | 1 no, 2 no, 3 no, 4 no | drops and adds nothing, yet “above” is not “under” |

## Close calls

- Another unit or spelling, an alias or a rounding that the question allows can all be equivalent.
- Direction matters. A more exact second answer may replace a vaguer first one, though not the other way round.
- Judge this pair only. The same second answer may come back beside another first answer.

## When you are unsure

Read the question once more and imagine the person who asks it. If that does not settle it, choose what seems more likely and leave a comment. Flag an item whose first answer is wrong or whose passage does not fit. Skip what you cannot judge; somebody else will see it.
','2026-11-23 07:10:07.101',1);
INSERT INTO "tasks_guideline" VALUES(2,1,'# Correctness in eight classes

You see a question, one or more reference answers, often a passage, and a candidate answer that a system gave. Choose the one class that describes the candidate best. Judge what it says. Style, length and politeness do not count.

## The classes, best first

The worked examples all answer one question: *Name two planets of the Solar System that have rings.* The reference answer is *Saturn and Uranus*.

| class | meaning | example |
| --- | --- | --- |
| `exact` | the reference answer itself; capitals and punctuation aside | Saturn and Uranus |
| `equivalent` | the same meaning in other words | Uranus, and Saturn too |
| `alternative-correct` | a different answer that is just as right | Jupiter and Neptune |
| `overinclusive-valid` | a right answer with more content that is true and to the point | Saturn and Uranus; Saturn''s rings are by far the brightest |
| `partial` | only part of what is required, and nothing false | Saturn |
| `overinclusive-invalid` | a right answer with more content that is false or unsupported | Saturn and Uranus, and Venus has a faint ring as well |
| `invalid` | wrong | Mercury and Mars |
| `contradictory` | denies the reference answer or what the question takes for granted | No planet has rings |

`equivalent` and `alternative-correct` are equally good; they differ in kind.

## A way to decide

1. **Is a right answer there, whole – the reference or another?** If only part of one is there, choose `partial`. If there is none, choose between the last two classes.
2. **Is there more than was asked for?** If not, choose among the first three classes.
3. **Is the addition true and relevant?** Then it is `overinclusive-valid`. One false or unsupported claim makes it `overinclusive-invalid`, however much of the rest is true.

## Neighbours that are easily confused

- **exact or equivalent** – The very words of a reference make it exact. As soon as the wording differs, it is equivalent.
- **equivalent or alternative-correct** – Ask whether both answers say the same thing. If they do not, and the question admits both, it is an alternative.
- **equivalent or overinclusive-valid** – Spelling out what the reference implies is still equivalent. A new fact makes it overinclusive.
- **overinclusive-valid or partial** – Check completeness first. An answer that lacks a required part is partial, even if it offers extra facts.
- **partial or invalid** – The part that is there must be right and must answer something of the question. A remark too vague to be wrong is invalid.
- **partial or overinclusive-invalid** – The first lacks something and says nothing false. The second is spoiled by what it adds.
- **invalid or contradictory** – A wrong answer merely misses. A contradictory one states the opposite of the reference, or rejects the question.

## When you are unsure

Use the passage and common knowledge, and look up a claim if one decides the class. If two classes still seem possible, choose the one whose meaning fits word by word, and name the other in a comment. Flag an item whose reference answer is wrong or whose question cannot be understood. Skip what you cannot judge; somebody else will see it.
','2026-11-23 07:10:07.662',2);
INSERT INTO "tasks_guideline" VALUES(3,1,'# Correctness and its rules

You see a question, one or more reference answers and a candidate answer that a system gave. First decide whether the candidate is `correct` or `incorrect`. Then say which rules decided it; one is enough, and you may choose several.

Correct means: a fair judge of a quiz would accept the candidate for this question. The reference is a guide and need not be the only right answer.

## The seven rules

| rule | what it covers | example |
| --- | --- | --- |
| 1 `aliasing` | another name of the same person, place or thing is accepted if it is well known; a made-up or mistaken one is not | *Who wrote Middlemarch?* George Eliot → Mary Ann Evans: correct |
| 2 `numerical` | numbers, dates and units have to be as exact as the reference, unless the question asks for less | *In which year did the Eiffel Tower open?* 1889 → in the 1880s: incorrect |
| 3 `fewer-details` | the candidate says less; accepted if the essential part is there | *Who painted the Mona Lisa?* the Florentine Leonardo da Vinci → Leonardo da Vinci: correct |
| 4 `more-details` | the candidate says more; accepted if the addition is true and leaves the answer clear | *What is the capital of Iceland?* Reykjavík → Reykjavík and Akureyri: incorrect |
| 5 `semantic` | the meaning decides; many shared words prove nothing, and few shared words do no harm | *Why do a cat''s eyes shine?* a reflective layer behind the retina → a reflective layer in front of the retina: incorrect |
| 6 `irrelevant` | the candidate is beside the point, or false | *Which planet is the largest?* Jupiter → planets are round: incorrect |
| 7 `other-answers` | the candidate is not among the references and right all the same | *Name a prime number between 10 and 20.* 11 → 17: correct |

Rules 1 to 5 name the reason and leave the label open: they can speak for a candidate or against it. The other two settle it. Rule 6 is offered with `incorrect` alone, rule 7 with `correct` alone.

## A way to decide

1. **Does the candidate answer the question?** If not, it is `incorrect` by rule 6.
2. **Does it mean the same as a reference?** Look at names (rule 1), numbers (rule 2) and wording (rule 5).
3. **Does it say less or more?** Less is `correct` while nothing essential is missing (rule 3). More is `correct` while everything added is true and the answer can still be told apart (rule 4).
4. **Does it mean something else?** It may still be right (rule 7). Look it up if you do not know.

## Choosing the rules

Choose every rule without which you would have decided otherwise, or had no reason to decide. *Mary Ann Evans, an English novelist* needs rules 1 and 4. Two or three rules are plenty.

## When you are unsure

Imagine the candidate spoken aloud in a quiz, without the chance to ask back. If that does not settle it, choose what seems more likely and leave a comment. Flag an item whose references are wrong or out of date. Skip what you cannot judge; somebody else will see it.
','2026-11-23 07:10:08.104',3);
INSERT INTO "tasks_guideline" VALUES(4,1,'# Statement validation

A program has turned a question and its answer into one declarative sentence, the *statement*. You see all three and judge whether the statement says what question and answer say together: no more, no less and nothing else.

Take the answer as given. Whether it is true is not your question. A faithful statement of a wrong answer is `correct`.

## The four labels

The example: *Which metal is liquid at room temperature?* with the answer *mercury*.

| label | meaning | example |
| --- | --- | --- |
| `correct` | the full meaning is kept and the sentence is good English | Mercury is a metal that is liquid at room temperature. |
| `syntactic` | the meaning is kept, but there is an error of grammar | Mercury is metal that are liquid at room temperature. |
| `semantic` | a sound sentence, but its meaning differs from question and answer | Mercury is liquid at every temperature. |
| `wrong` | it does not work as a statement: grammar, meaning or both are broken | Which metal is liquid at room temperature mercury. |

## A way to decide

1. **Is it a declarative sentence that can be understood?** A question, a fragment, or question and answer merely joined together is `wrong`.
2. **Does it mean the same?** Check who, what, when, how much, and words such as *not*, *only* and *most*. If the meaning has shifted, it is `semantic`. If hardly anything of it is left, it is `wrong`.
3. **Is the grammar sound?** A missing article or a verb that does not agree makes it `syntactic`, provided that you had no doubt about the meaning. Otherwise it is `correct`. A stiff style is no error.

A sentence that is flawed in both ways is `wrong`.

## By type of question

- **short-question** – The question word must be gone and the answer must stand in its place.
- **sentence-to-complete** – The beginning has to be carried over whole and the ending has to fit it.
- **long-question** – What the introductory sentences say, as far as the answer depends on it, must be in the statement. A condition left out is a `semantic` error.
- **blank-spaces-task** – Every blank must be filled, each with its own part of the answer. A blank that is still there makes it `wrong`.

## When you are unsure

Read the statement alone, then ask which question it answers and how. If you arrive at the question and answer shown, the meaning has been kept. If two labels still seem possible, choose the one whose meaning fits word by word, and name the other in a comment. Flag an item whose question or answer is garbled. Skip what you cannot judge; somebody else will see it.
','2026-11-23 07:10:08.517',4);
CREATE TABLE "tasks_invitation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "role" varchar(20) NOT NULL, "digest" varchar(64) NOT NULL UNIQUE, "note" varchar(200) NOT NULL, "max_uses" integer unsigned NULL CHECK ("max_uses" >= 0), "expires_at" datetime NOT NULL, "revoked_at" datetime NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "created_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "invitation_kind_known" CHECK ("kind" IN ('account', 'crowd')), CONSTRAINT "invitation_role_known" CHECK ("role" IN ('rater', 'researcher', 'admin')), CONSTRAINT "crowd_visitors_are_raters" CHECK ((NOT ("kind" = 'crowd') OR "role" = 'rater')));
CREATE TABLE "tasks_item" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "key" varchar(255) NOT NULL, "references" text NOT NULL CHECK ((JSON_VALID("references") OR "references" IS NULL)), "reference_index" smallint unsigned NULL CHECK ("reference_index" >= 0), "candidate" text NOT NULL, "purpose" varchar(20) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "question_id" bigint NOT NULL REFERENCES "tasks_question" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "item_key_unique" UNIQUE ("campaign_id", "key"), CONSTRAINT "item_purpose_known" CHECK ("purpose" IN ('live', 'calibration', 'control')));
INSERT INTO "tasks_item" VALUES(1,'item-0','["in the northern hills"]',0,'far from the sea','live','2026-11-23 07:10:07.197',1,1);
INSERT INTO "tasks_item" VALUES(2,'item-1','["in the northern hills"]',0,'far from the sea','live','2026-11-23 07:10:07.288',1,2);
INSERT INTO "tasks_item" VALUES(3,'item-2','["in the northern hills"]',0,'far from the sea','live','2026-11-23 07:10:07.395',1,3);
INSERT INTO "tasks_item" VALUES(4,'item-3','["in the northern hills"]',0,'far from the sea','live','2026-11-23 07:10:07.475',1,4);
INSERT INTO "tasks_item" VALUES(5,'item-4','["in the northern hills"]',0,'far from the sea','live','2026-11-23 07:10:07.542',1,5);
INSERT INTO "tasks_item" VALUES(6,'item-5','["in the northern hills"]',0,'far from the sea','live','2026-11-23 07:10:07.606',1,6);
INSERT INTO "tasks_item" VALUES(7,'item-0','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:07.740',2,7);
INSERT INTO "tasks_item" VALUES(8,'item-1','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:07.874',2,8);
INSERT INTO "tasks_item" VALUES(9,'item-2','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:07.931',2,9);
INSERT INTO "tasks_item" VALUES(10,'item-3','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:07.989',2,10);
INSERT INTO "tasks_item" VALUES(11,'item-4','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.022',2,11);
INSERT INTO "tasks_item" VALUES(12,'item-5','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.050',2,12);
INSERT INTO "tasks_item" VALUES(13,'item-0','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.156',3,13);
INSERT INTO "tasks_item" VALUES(14,'item-1','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.210',3,14);
INSERT INTO "tasks_item" VALUES(15,'item-2','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.266',3,15);
INSERT INTO "tasks_item" VALUES(16,'item-3','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.334',3,16);
INSERT INTO "tasks_item" VALUES(17,'item-4','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.398',3,17);
INSERT INTO "tasks_item" VALUES(18,'item-5','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.457',3,18);
INSERT INTO "tasks_item" VALUES(19,'item-0','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.658',4,19);
INSERT INTO "tasks_item" VALUES(20,'item-1','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.689',4,20);
INSERT INTO "tasks_item" VALUES(21,'item-2','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.782',4,21);
INSERT INTO "tasks_item" VALUES(22,'item-3','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.841',4,22);
INSERT INTO "tasks_item" VALUES(23,'item-4','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.898',4,23);
INSERT INTO "tasks_item" VALUES(24,'item-5','["in the northern hills"]',NULL,'far from the sea','live','2026-11-23 07:10:08.967',4,24);
CREATE TABLE "tasks_itemsystem" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "system_id" bigint NOT NULL REFERENCES "tasks_system" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "system_once_per_item" UNIQUE ("item_id", "system_id"));
INSERT INTO "tasks_itemsystem" VALUES(1,1,1);
INSERT INTO "tasks_itemsystem" VALUES(2,2,1);
INSERT INTO "tasks_itemsystem" VALUES(3,3,1);
INSERT INTO "tasks_itemsystem" VALUES(4,4,1);
INSERT INTO "tasks_itemsystem" VALUES(5,5,1);
INSERT INTO "tasks_itemsystem" VALUES(6,6,1);
INSERT INTO "tasks_itemsystem" VALUES(7,7,2);
INSERT INTO "tasks_itemsystem" VALUES(8,8,2);
INSERT INTO "tasks_itemsystem" VALUES(9,9,2);
INSERT INTO "tasks_itemsystem" VALUES(10,10,2);
INSERT INTO "tasks_itemsystem" VALUES(11,11,2);
INSERT INTO "tasks_itemsystem" VALUES(12,12,2);
INSERT INTO "tasks_itemsystem" VALUES(13,13,3);
INSERT INTO "tasks_itemsystem" VALUES(14,14,3);
INSERT INTO "tasks_itemsystem" VALUES(15,15,3);
INSERT INTO "tasks_itemsystem" VALUES(16,16,3);
INSERT INTO "tasks_itemsystem" VALUES(17,17,3);
INSERT INTO "tasks_itemsystem" VALUES(18,18,3);
INSERT INTO "tasks_itemsystem" VALUES(19,19,4);
INSERT INTO "tasks_itemsystem" VALUES(20,20,4);
INSERT INTO "tasks_itemsystem" VALUES(21,21,4);
INSERT INTO "tasks_itemsystem" VALUES(22,22,4);
INSERT INTO "tasks_itemsystem" VALUES(23,23,4);
INSERT INTO "tasks_itemsystem" VALUES(24,24,4);
CREATE TABLE "tasks_job" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "parameters" text NOT NULL CHECK ((JSON_VALID("parameters") OR "parameters" IS NULL)), "input_hash" varchar(64) NOT NULL, "state" varchar(20) NOT NULL, "done" integer unsigned NOT NULL CHECK ("done" >= 0), "total" integer unsigned NULL CHECK ("total" >= 0), "attempts" smallint unsigned NOT NULL CHECK ("attempts" >= 0), "failures" smallint unsigned NOT NULL CHECK ("failures" >= 0), "deaths" smallint unsigned NOT NULL CHECK ("deaths" >= 0), "fence" integer unsigned NOT NULL CHECK ("fence" >= 0), "not_before" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "lease_until" datetime NULL, "sent_at" datetime NULL, "error" text NOT NULL, "result" text NULL CHECK ((JSON_VALID("result") OR "result" IS NULL)), "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "finished_at" datetime NULL, "acknowledged_at" datetime NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "created_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "acknowledged_by_id" bigint NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "job_state_known" CHECK ("state" IN ('queued', 'running', 'done', 'failed', 'cancelled')), CONSTRAINT "job_acknowledged_by_somebody" CHECK ((("acknowledged_at" IS NULL AND "acknowledged_by_id" IS NULL) OR ("acknowledged_at" IS NOT NULL AND "acknowledged_by_id" IS NOT NULL))));
INSERT INTO "tasks_job" VALUES(1,'train','{}','1','done',0,NULL,0,0,0,0,'2026-11-23 07:10:10.019',NULL,NULL,'',NULL,'2026-11-23 07:10:10.019',NULL,NULL,1,NULL,NULL);
CREATE TABLE "tasks_jobfailure" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "reason" varchar(500) NOT NULL, "attempts" smallint unsigned NOT NULL CHECK ("attempts" >= 0), "is_due" bool NOT NULL, "failed_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "acknowledged_at" datetime NULL, "item_id" bigint NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "job_id" bigint NOT NULL REFERENCES "tasks_job" ("id") DEFERRABLE INITIALLY DEFERRED, "acknowledged_by_id" bigint NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "question_id" bigint NULL REFERENCES "tasks_question" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "item_fails_once_per_job" UNIQUE ("job_id", "item_id"), CONSTRAINT "question_fails_once_per_job" UNIQUE ("job_id", "question_id"), CONSTRAINT "failure_of_an_item_or_a_question" CHECK ((("item_id" IS NULL AND "question_id" IS NOT NULL) OR ("item_id" IS NOT NULL AND "question_id" IS NULL))), CONSTRAINT "failure_has_a_reason" CHECK (NOT ("reason" = '')), CONSTRAINT "failure_acknowledged_by_somebody" CHECK ((("acknowledged_at" IS NULL AND "acknowledged_by_id" IS NULL) OR ("acknowledged_at" IS NOT NULL AND "acknowledged_by_id" IS NOT NULL AND NOT "is_due"))));
CREATE TABLE "tasks_leaderboard" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "split" varchar(40) NOT NULL, "content" text NOT NULL, "made_at" datetime NULL, "release_id" bigint NOT NULL REFERENCES "tasks_release" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "one_leaderboard_per_split" UNIQUE ("release_id", "split"));
CREATE TABLE "tasks_leftitem" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "adjudicator_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "item_left_once" UNIQUE ("item_id", "adjudicator_id"));
CREATE TABLE "tasks_loginattempts" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "subject" varchar(80) NOT NULL UNIQUE, "tried" integer unsigned NOT NULL CHECK ("tried" >= 0), "counted_from" datetime NOT NULL);
CREATE TABLE "tasks_look" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" smallint unsigned NOT NULL CHECK ("number" >= 0), "ratings" integer unsigned NOT NULL CHECK ("ratings" >= 0), "level" real NOT NULL, "findings" text NOT NULL, "made_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "look_number_unique" UNIQUE ("campaign_id", "number"), CONSTRAINT "looks_count_from_one" CHECK ("number" >= 1), CONSTRAINT "look_level_is_a_chance" CHECK (("level" > 0.0 AND "level" < 1.0)));
CREATE TABLE "tasks_membership" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(255) NOT NULL, "pseudonym" varchar(40) NOT NULL, "role" varchar(20) NOT NULL, "is_active" bool NOT NULL, "is_paused" bool NOT NULL, "quota" integer unsigned NULL CHECK ("quota" >= 0), "votes_seen_until" datetime NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "consented_to_id" bigint NULL REFERENCES "tasks_consenttext" ("id") DEFERRABLE INITIALLY DEFERRED, "invitation_id" bigint NULL REFERENCES "tasks_invitation" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "passed_calibration_id" bigint NULL REFERENCES "tasks_calibrationattempt" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "one_membership_per_user" UNIQUE ("campaign_id", "user_id"), CONSTRAINT "one_membership_per_name" UNIQUE ("campaign_id", "name"), CONSTRAINT "pseudonym_unique" UNIQUE ("campaign_id", "pseudonym"), CONSTRAINT "role_known" CHECK ("role" IN ('rater', 'researcher', 'admin')));
INSERT INTO "tasks_membership" VALUES(1,'Ünal','r-7op2qblshk','rater',1,0,NULL,NULL,'2026-11-23 07:10:07.642',1,NULL,NULL,NULL,NULL);
INSERT INTO "tasks_membership" VALUES(2,'Ünal','r-7op2qblshk','rater',1,0,NULL,NULL,'2026-11-23 07:10:08.081',2,NULL,NULL,NULL,NULL);
INSERT INTO "tasks_membership" VALUES(3,'Ünal','r-7op2qblshk','rater',1,0,NULL,NULL,'2026-11-23 07:10:08.502',3,NULL,NULL,NULL,NULL);
INSERT INTO "tasks_membership" VALUES(4,'Ünal','r-7op2qblshk','rater',1,0,NULL,NULL,'2026-11-23 07:10:09.001',4,NULL,NULL,NULL,NULL);
INSERT INTO "tasks_membership" VALUES(5,'rater-of-ae','r-j4snycnhto','rater',1,0,NULL,NULL,'2026-11-23 07:10:09.433',1,NULL,NULL,1,NULL);
INSERT INTO "tasks_membership" VALUES(6,'expert-of-ae','r-4lf2yqom3u','researcher',1,0,NULL,NULL,'2026-11-23 07:10:09.952',1,NULL,NULL,2,NULL);
CREATE TABLE "tasks_outcome" ("id" varchar(200) NOT NULL PRIMARY KEY, "protocol" varchar(40) NOT NULL, "answers" text NOT NULL CHECK ((JSON_VALID("answers") OR "answers" IS NULL)), "label" varchar(60) NOT NULL, "reading" varchar(60) NOT NULL);
INSERT INTO "tasks_outcome" VALUES('ae:q1=yes','ae','{"q1": "yes"}','not-equivalent','completely-different');
INSERT INTO "tasks_outcome" VALUES('ae:q1=no,q2=yes','ae','{"q1": "no", "q2": "yes"}','equivalent','equivalent');
INSERT INTO "tasks_outcome" VALUES('ae:q1=no,q2=no,q3=yes,q4=yes','ae','{"q1": "no", "q2": "no", "q3": "yes", "q4": "yes"}','not-equivalent','loses-and-adds');
INSERT INTO "tasks_outcome" VALUES('ae:q1=no,q2=no,q3=yes,q4=no','ae','{"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}','not-equivalent','loses-information');
INSERT INTO "tasks_outcome" VALUES('ae:q1=no,q2=no,q3=no,q4=yes','ae','{"q1": "no", "q2": "no", "q3": "no", "q4": "yes"}','not-equivalent','adds-information');
INSERT INTO "tasks_outcome" VALUES('ae:q1=no,q2=no,q3=no,q4=no','ae','{"q1": "no", "q2": "no", "q3": "no", "q4": "no"}','not-equivalent','otherwise-not-equivalent');
INSERT INTO "tasks_outcome" VALUES('ae:not-equivalent','ae','{}','not-equivalent','not-equivalent');
INSERT INTO "tasks_outcome" VALUES('cap:label=exact','cap','{"label": "exact"}','exact','exact');
INSERT INTO "tasks_outcome" VALUES('cap:label=equivalent','cap','{"label": "equivalent"}','equivalent','equivalent');
INSERT INTO "tasks_outcome" VALUES('cap:label=alternative-correct','cap','{"label": "alternative-correct"}','alternative-correct','alternative-correct');
INSERT INTO "tasks_outcome" VALUES('cap:label=overinclusive-valid','cap','{"label": "overinclusive-valid"}','overinclusive-valid','overinclusive-valid');
INSERT INTO "tasks_outcome" VALUES('cap:label=partial','cap','{"label": "partial"}','partial','partial');
INSERT INTO "tasks_outcome" VALUES('cap:label=overinclusive-invalid','cap','{"label": "overinclusive-invalid"}','overinclusive-invalid','overinclusive-invalid');
INSERT INTO "tasks_outcome" VALUES('cap:label=invalid','cap','{"label": "invalid"}','invalid','invalid');
INSERT INTO "tasks_outcome" VALUES('cap:label=contradictory','cap','{"label": "contradictory"}','contradictory','contradictory');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing','rules','{"label": "correct", "rules": "aliasing"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical','rules','{"label": "correct", "rules": "numerical"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details','rules','{"label": "correct", "rules": "fewer-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=more-details','rules','{"label": "correct", "rules": "more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=semantic','rules','{"label": "correct", "rules": "semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=other-answers','rules','{"label": "correct", "rules": "other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical','rules','{"label": "correct", "rules": "aliasing+numerical"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details','rules','{"label": "correct", "rules": "aliasing+fewer-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+more-details','rules','{"label": "correct", "rules": "aliasing+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+semantic','rules','{"label": "correct", "rules": "aliasing+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+other-answers','rules','{"label": "correct", "rules": "aliasing+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details','rules','{"label": "correct", "rules": "numerical+fewer-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+more-details','rules','{"label": "correct", "rules": "numerical+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+semantic','rules','{"label": "correct", "rules": "numerical+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+other-answers','rules','{"label": "correct", "rules": "numerical+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+more-details','rules','{"label": "correct", "rules": "fewer-details+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+semantic','rules','{"label": "correct", "rules": "fewer-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+other-answers','rules','{"label": "correct", "rules": "fewer-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=more-details+semantic','rules','{"label": "correct", "rules": "more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=more-details+other-answers','rules','{"label": "correct", "rules": "more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=semantic+other-answers','rules','{"label": "correct", "rules": "semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+more-details','rules','{"label": "correct", "rules": "aliasing+numerical+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+semantic','rules','{"label": "correct", "rules": "aliasing+numerical+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+more-details','rules','{"label": "correct", "rules": "aliasing+fewer-details+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+semantic','rules','{"label": "correct", "rules": "aliasing+fewer-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+other-answers','rules','{"label": "correct", "rules": "aliasing+fewer-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+more-details+semantic','rules','{"label": "correct", "rules": "aliasing+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+more-details+other-answers','rules','{"label": "correct", "rules": "aliasing+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+more-details','rules','{"label": "correct", "rules": "numerical+fewer-details+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+semantic','rules','{"label": "correct", "rules": "numerical+fewer-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+other-answers','rules','{"label": "correct", "rules": "numerical+fewer-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+more-details+semantic','rules','{"label": "correct", "rules": "numerical+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+more-details+other-answers','rules','{"label": "correct", "rules": "numerical+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+semantic+other-answers','rules','{"label": "correct", "rules": "numerical+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+more-details+semantic','rules','{"label": "correct", "rules": "fewer-details+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+more-details+other-answers','rules','{"label": "correct", "rules": "fewer-details+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+semantic+other-answers','rules','{"label": "correct", "rules": "fewer-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=more-details+semantic+other-answers','rules','{"label": "correct", "rules": "more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+more-details','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+more-details"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+semantic','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+more-details+semantic','rules','{"label": "correct", "rules": "aliasing+numerical+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+more-details+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+more-details+semantic','rules','{"label": "correct", "rules": "aliasing+fewer-details+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+more-details+other-answers','rules','{"label": "correct", "rules": "aliasing+fewer-details+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+fewer-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+more-details+semantic','rules','{"label": "correct", "rules": "numerical+fewer-details+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+more-details+other-answers','rules','{"label": "correct", "rules": "numerical+fewer-details+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+semantic+other-answers','rules','{"label": "correct", "rules": "numerical+fewer-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "numerical+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=fewer-details+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "fewer-details+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+more-details+semantic','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+more-details+semantic"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+more-details+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+more-details+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+fewer-details+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+fewer-details+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=numerical+fewer-details+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "numerical+fewer-details+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=correct,rules=aliasing+numerical+fewer-details+more-details+semantic+other-answers','rules','{"label": "correct", "rules": "aliasing+numerical+fewer-details+more-details+semantic+other-answers"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing','rules','{"label": "incorrect", "rules": "aliasing"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical','rules','{"label": "incorrect", "rules": "numerical"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details','rules','{"label": "incorrect", "rules": "fewer-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=more-details','rules','{"label": "incorrect", "rules": "more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=semantic','rules','{"label": "incorrect", "rules": "semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=irrelevant','rules','{"label": "incorrect", "rules": "irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical','rules','{"label": "incorrect", "rules": "aliasing+numerical"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details','rules','{"label": "incorrect", "rules": "aliasing+fewer-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+more-details','rules','{"label": "incorrect", "rules": "aliasing+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+semantic','rules','{"label": "incorrect", "rules": "aliasing+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details','rules','{"label": "incorrect", "rules": "numerical+fewer-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+more-details','rules','{"label": "incorrect", "rules": "numerical+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+semantic','rules','{"label": "incorrect", "rules": "numerical+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+irrelevant','rules','{"label": "incorrect", "rules": "numerical+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+more-details','rules','{"label": "incorrect", "rules": "fewer-details+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+semantic','rules','{"label": "incorrect", "rules": "fewer-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+irrelevant','rules','{"label": "incorrect", "rules": "fewer-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=more-details+semantic','rules','{"label": "incorrect", "rules": "more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=more-details+irrelevant','rules','{"label": "incorrect", "rules": "more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=semantic+irrelevant','rules','{"label": "incorrect", "rules": "semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+more-details','rules','{"label": "incorrect", "rules": "aliasing+numerical+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+semantic','rules','{"label": "incorrect", "rules": "aliasing+numerical+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+more-details','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+semantic','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+more-details+semantic','rules','{"label": "incorrect", "rules": "aliasing+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+more-details+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+more-details','rules','{"label": "incorrect", "rules": "numerical+fewer-details+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+semantic','rules','{"label": "incorrect", "rules": "numerical+fewer-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+irrelevant','rules','{"label": "incorrect", "rules": "numerical+fewer-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+more-details+semantic','rules','{"label": "incorrect", "rules": "numerical+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+more-details+irrelevant','rules','{"label": "incorrect", "rules": "numerical+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+semantic+irrelevant','rules','{"label": "incorrect", "rules": "numerical+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+more-details+semantic','rules','{"label": "incorrect", "rules": "fewer-details+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+more-details+irrelevant','rules','{"label": "incorrect", "rules": "fewer-details+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "fewer-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+more-details"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+semantic','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+more-details+semantic','rules','{"label": "incorrect", "rules": "aliasing+numerical+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+more-details+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+more-details+semantic','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+more-details+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+more-details+semantic','rules','{"label": "incorrect", "rules": "numerical+fewer-details+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+more-details+irrelevant','rules','{"label": "incorrect", "rules": "numerical+fewer-details+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "numerical+fewer-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "numerical+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=fewer-details+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "fewer-details+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details+semantic','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+more-details+semantic"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+more-details+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+fewer-details+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+fewer-details+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=numerical+fewer-details+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "numerical+fewer-details+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details+semantic+irrelevant','rules','{"label": "incorrect", "rules": "aliasing+numerical+fewer-details+more-details+semantic+irrelevant"}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('rules:correct','rules','{}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('rules:incorrect','rules','{}','incorrect','incorrect');
INSERT INTO "tasks_outcome" VALUES('statement:label=correct','statement','{"label": "correct"}','correct','correct');
INSERT INTO "tasks_outcome" VALUES('statement:label=syntactic','statement','{"label": "syntactic"}','syntactic','syntactic');
INSERT INTO "tasks_outcome" VALUES('statement:label=semantic','statement','{"label": "semantic"}','semantic','semantic');
INSERT INTO "tasks_outcome" VALUES('statement:label=wrong','statement','{"label": "wrong"}','wrong','wrong');
CREATE TABLE "tasks_question" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "key" varchar(255) NOT NULL, "text" text NOT NULL, "context" text NOT NULL, "fingerprint" varchar(24) NOT NULL, "question_type" varchar(60) NOT NULL, "split" varchar(40) DEFAULT '' NOT NULL, "references" text NOT NULL CHECK ((JSON_VALID("references") OR "references" IS NULL)), "answer_starts" text NOT NULL CHECK ((JSON_VALID("answer_starts") OR "answer_starts" IS NULL)), "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "document_id" bigint NOT NULL REFERENCES "tasks_document" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "question_key_unique" UNIQUE ("campaign_id", "key"));
INSERT INTO "tasks_question" VALUES(1,'question-1','Where does river 1 rise?','River 1 rises in the northern hills, far from the sea.','7d2e3374900618f0c0c42b02','','','["in the northern hills"]','[null]',1,1);
INSERT INTO "tasks_question" VALUES(2,'question-2','Where does river 2 rise?','River 2 rises in the northern hills, far from the sea.','c71da980e22db2c8f36c71e5','','','["in the northern hills"]','[null]',1,2);
INSERT INTO "tasks_question" VALUES(3,'question-3','Where does river 3 rise?','River 3 rises in the northern hills, far from the sea.','b7e5d9c928a3317f7df1ac63','','','["in the northern hills"]','[null]',1,3);
INSERT INTO "tasks_question" VALUES(4,'question-4','Where does river 4 rise?','River 4 rises in the northern hills, far from the sea.','e3f545ef61271cc06c06ab5c','','','["in the northern hills"]','[null]',1,4);
INSERT INTO "tasks_question" VALUES(5,'question-5','Where does river 5 rise?','River 5 rises in the northern hills, far from the sea.','2e703c1b43a58ea6e1f61687','','','["in the northern hills"]','[null]',1,5);
INSERT INTO "tasks_question" VALUES(6,'question-6','Where does river 6 rise?','River 6 rises in the northern hills, far from the sea.','3f3e879e8bbf23506f27702f','','','["in the northern hills"]','[null]',1,6);
INSERT INTO "tasks_question" VALUES(7,'question-7','Where does river 7 rise?','River 7 rises in the northern hills, far from the sea.','95ae7b48d1ceea1d72f7ce63','','','["in the northern hills"]','[null]',2,7);
INSERT INTO "tasks_question" VALUES(8,'question-8','Where does river 8 rise?','River 8 rises in the northern hills, far from the sea.','40f6bf27cbcde396ddc53911','','','["in the northern hills"]','[null]',2,8);
INSERT INTO "tasks_question" VALUES(9,'question-9','Where does river 9 rise?','River 9 rises in the northern hills, far from the sea.','b75e0be35227e7ae19792f38','','','["in the northern hills"]','[null]',2,9);
INSERT INTO "tasks_question" VALUES(10,'question-10','Where does river 10 rise?','River 10 rises in the northern hills, far from the sea.','150e4b87cc5fbb6edefe28dc','','','["in the northern hills"]','[null]',2,10);
INSERT INTO "tasks_question" VALUES(11,'question-11','Where does river 11 rise?','River 11 rises in the northern hills, far from the sea.','cdeac9dbca6081e1daf14344','','','["in the northern hills"]','[null]',2,11);
INSERT INTO "tasks_question" VALUES(12,'question-12','Where does river 12 rise?','River 12 rises in the northern hills, far from the sea.','e8930a5f0f904b2c7d98d488','','','["in the northern hills"]','[null]',2,12);
INSERT INTO "tasks_question" VALUES(13,'question-13','Where does river 13 rise?','River 13 rises in the northern hills, far from the sea.','c780633e2cff9bd3d12725f7','','','["in the northern hills"]','[null]',3,13);
INSERT INTO "tasks_question" VALUES(14,'question-14','Where does river 14 rise?','River 14 rises in the northern hills, far from the sea.','b18725a4a8b9b9d28ac18b8c','','','["in the northern hills"]','[null]',3,14);
INSERT INTO "tasks_question" VALUES(15,'question-15','Where does river 15 rise?','River 15 rises in the northern hills, far from the sea.','d52b9b69b9e50b32ffb15346','','','["in the northern hills"]','[null]',3,15);
INSERT INTO "tasks_question" VALUES(16,'question-16','Where does river 16 rise?','River 16 rises in the northern hills, far from the sea.','f1466029af65695f86c74380','','','["in the northern hills"]','[null]',3,16);
INSERT INTO "tasks_question" VALUES(17,'question-17','Where does river 17 rise?','River 17 rises in the northern hills, far from the sea.','fcb39cb89c56db363e585c8f','','','["in the northern hills"]','[null]',3,17);
INSERT INTO "tasks_question" VALUES(18,'question-18','Where does river 18 rise?','River 18 rises in the northern hills, far from the sea.','5982f3e8988bd03502a9fb96','','','["in the northern hills"]','[null]',3,18);
INSERT INTO "tasks_question" VALUES(19,'question-19','Where does river 19 rise?','River 19 rises in the northern hills, far from the sea.','b94e8b604290bb344af2c67b','','','["in the northern hills"]','[null]',4,19);
INSERT INTO "tasks_question" VALUES(20,'question-20','Where does river 20 rise?','River 20 rises in the northern hills, far from the sea.','30fcd2db03f837d16e042943','','','["in the northern hills"]','[null]',4,20);
INSERT INTO "tasks_question" VALUES(21,'question-21','Where does river 21 rise?','River 21 rises in the northern hills, far from the sea.','3ade7582a1c48adf183c76da','','','["in the northern hills"]','[null]',4,21);
INSERT INTO "tasks_question" VALUES(22,'question-22','Where does river 22 rise?','River 22 rises in the northern hills, far from the sea.','0030b3f0e64b490d5176910b','','','["in the northern hills"]','[null]',4,22);
INSERT INTO "tasks_question" VALUES(23,'question-23','Where does river 23 rise?','River 23 rises in the northern hills, far from the sea.','22641d036d0a08cb46b50298','','','["in the northern hills"]','[null]',4,23);
INSERT INTO "tasks_question" VALUES(24,'question-24','Where does river 24 rise?','River 24 rises in the northern hills, far from the sea.','43329794bd675369bec2a4ea','','','["in the northern hills"]','[null]',4,24);
CREATE TABLE "tasks_rating" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "suggestion_arm" varchar(20) NOT NULL, "suggestion_policy" varchar(20) DEFAULT '' NOT NULL, "suggestion_matcher" varchar(80) DEFAULT '' NOT NULL, "comment" text NOT NULL, "seconds" real NULL, "rated_at" datetime NULL, "idempotency_key" varchar(100) NOT NULL, "payload_hash" varchar(64) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "assignment_id" bigint NULL REFERENCES "tasks_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "guideline_id" bigint NULL REFERENCES "tasks_guideline" ("id") DEFERRABLE INITIALLY DEFERRED, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "outcome_id" varchar(200) NOT NULL REFERENCES "tasks_outcome" ("id") DEFERRABLE INITIALLY DEFERRED, "rater_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, "supersedes_id" bigint NULL UNIQUE REFERENCES "tasks_rating" ("id") DEFERRABLE INITIALLY DEFERRED, "slot_id" bigint NULL REFERENCES "tasks_slot" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "idempotency_key_once" UNIQUE ("rater_id", "idempotency_key"), CONSTRAINT "seconds_not_negative" CHECK (("seconds" IS NULL OR "seconds" >= 0.0)), CONSTRAINT "suggestion_arm_known" CHECK ("suggestion_arm" IN ('', 'hidden', 'before', 'after')), CONSTRAINT "suggestion_policy_of_rating_known" CHECK ("suggestion_policy" IN ('', 'hidden', 'before', 'after', 'randomised')));
INSERT INTO "tasks_rating" VALUES(1,'','','','two
lines and 🍋',NULL,NULL,'447c31608d348c1e220b9daea7a889db382b8b626a27ee9c8118bf0d5eecd1a6','0b10b38488bca1c351836e0ecdc200be0c4cd7779fdfcf507dadd44add5670f0','2026-11-23 07:10:07.646',NULL,NULL,1,'ae:q1=no,q2=yes',1,NULL,1);
INSERT INTO "tasks_rating" VALUES(2,'','','','two
lines and 🍋',NULL,NULL,'6b6c7b184eebe1fd9124f4965c0bdc3df3ce2a7c36d73318e6ac1ef638b8be1c','b0ede21ad318be59519069a1bfbbfde38447693bdc2d76a455b7e192c1302122','2026-11-23 07:10:07.646',NULL,NULL,2,'ae:not-equivalent',1,NULL,3);
INSERT INTO "tasks_rating" VALUES(3,'','','','two
lines and 🍋',NULL,NULL,'586752cfa456feb69318e5615260fdd5e873e2daf5ab55596fe7763a7cd874b5','0b10b38488bca1c351836e0ecdc200be0c4cd7779fdfcf507dadd44add5670f0','2026-11-23 07:10:07.646',NULL,NULL,3,'ae:q1=no,q2=yes',1,NULL,5);
INSERT INTO "tasks_rating" VALUES(4,'','','','two
lines and 🍋',NULL,NULL,'4332513bcdc92fd6400e187c79ba9768f84a326517f41a7b064d28b8c43fff21','b0ede21ad318be59519069a1bfbbfde38447693bdc2d76a455b7e192c1302122','2026-11-23 07:10:07.646',NULL,NULL,4,'ae:not-equivalent',1,NULL,7);
INSERT INTO "tasks_rating" VALUES(5,'','','','two
lines and 🍋',NULL,NULL,'d74d2adc0e044b7dd789a0c1f769b26fc15e0fcc812d86d65e4b80068b4de07d','0b10b38488bca1c351836e0ecdc200be0c4cd7779fdfcf507dadd44add5670f0','2026-11-23 07:10:07.646',NULL,NULL,5,'ae:q1=no,q2=yes',1,NULL,9);
INSERT INTO "tasks_rating" VALUES(6,'','','','two
lines and 🍋',NULL,NULL,'447c31608d348c1e220b9daea7a889db382b8b626a27ee9c8118bf0d5eecd1a6','0ed64d65bdd9cde7df1cab49f6514dbcf4f4a8af23a23c11096c26785ecf4879','2026-11-23 07:10:08.082',NULL,NULL,7,'cap:label=exact',2,NULL,13);
INSERT INTO "tasks_rating" VALUES(7,'','','','two
lines and 🍋',NULL,NULL,'6b6c7b184eebe1fd9124f4965c0bdc3df3ce2a7c36d73318e6ac1ef638b8be1c','58cb9009e609e989378a0baca517bb64a1aa07e379be48c47546d9afc07cf41c','2026-11-23 07:10:08.082',NULL,NULL,8,'cap:label=equivalent',2,NULL,15);
INSERT INTO "tasks_rating" VALUES(8,'','','','two
lines and 🍋',NULL,NULL,'586752cfa456feb69318e5615260fdd5e873e2daf5ab55596fe7763a7cd874b5','c6353b018562ef58c94b7d71789b4e77f95aafb3b6a08472f3f9dce70b11be0c','2026-11-23 07:10:08.082',NULL,NULL,9,'cap:label=alternative-correct',2,NULL,17);
INSERT INTO "tasks_rating" VALUES(9,'','','','two
lines and 🍋',NULL,NULL,'4332513bcdc92fd6400e187c79ba9768f84a326517f41a7b064d28b8c43fff21','2aace65afaf40b5deee52d324cc7bf06e086619f5c1d975d4c5e62fd0b73a025','2026-11-23 07:10:08.082',NULL,NULL,10,'cap:label=overinclusive-valid',2,NULL,19);
INSERT INTO "tasks_rating" VALUES(10,'','','','two
lines and 🍋',NULL,NULL,'d74d2adc0e044b7dd789a0c1f769b26fc15e0fcc812d86d65e4b80068b4de07d','c17a996a1d8ab02af850a87b03831777097c44a6b9e1fb2e8c2fe2328616a54d','2026-11-23 07:10:08.082',NULL,NULL,11,'cap:label=partial',2,NULL,21);
INSERT INTO "tasks_rating" VALUES(11,'','','','two
lines and 🍋',NULL,NULL,'447c31608d348c1e220b9daea7a889db382b8b626a27ee9c8118bf0d5eecd1a6','bfa0369c3873891d2467b145aa0ebb9094e9c5b84ad2d67ccc5e8557c5156651','2026-11-23 07:10:08.503',NULL,NULL,13,'rules:correct',3,NULL,25);
INSERT INTO "tasks_rating" VALUES(12,'','','','two
lines and 🍋',NULL,NULL,'6b6c7b184eebe1fd9124f4965c0bdc3df3ce2a7c36d73318e6ac1ef638b8be1c','26d27de8f794925a5ffb7578a8a7cc24a8dfac128c0b96f2f6deac19d1fbf5df','2026-11-23 07:10:08.503',NULL,NULL,14,'rules:incorrect',3,NULL,27);
INSERT INTO "tasks_rating" VALUES(13,'','','','two
lines and 🍋',NULL,NULL,'586752cfa456feb69318e5615260fdd5e873e2daf5ab55596fe7763a7cd874b5','bfa0369c3873891d2467b145aa0ebb9094e9c5b84ad2d67ccc5e8557c5156651','2026-11-23 07:10:08.503',NULL,NULL,15,'rules:correct',3,NULL,29);
INSERT INTO "tasks_rating" VALUES(14,'','','','two
lines and 🍋',NULL,NULL,'4332513bcdc92fd6400e187c79ba9768f84a326517f41a7b064d28b8c43fff21','26d27de8f794925a5ffb7578a8a7cc24a8dfac128c0b96f2f6deac19d1fbf5df','2026-11-23 07:10:08.503',NULL,NULL,16,'rules:incorrect',3,NULL,31);
INSERT INTO "tasks_rating" VALUES(15,'','','','two
lines and 🍋',NULL,NULL,'d74d2adc0e044b7dd789a0c1f769b26fc15e0fcc812d86d65e4b80068b4de07d','bfa0369c3873891d2467b145aa0ebb9094e9c5b84ad2d67ccc5e8557c5156651','2026-11-23 07:10:08.503',NULL,NULL,17,'rules:correct',3,NULL,33);
INSERT INTO "tasks_rating" VALUES(16,'','','','two
lines and 🍋',NULL,NULL,'447c31608d348c1e220b9daea7a889db382b8b626a27ee9c8118bf0d5eecd1a6','dc20d2f9e98e038c6102cdabdca2c411f654d47c10c00237f480efdda0bc6ba7','2026-11-23 07:10:09.001',NULL,NULL,19,'statement:label=correct',4,NULL,37);
INSERT INTO "tasks_rating" VALUES(17,'','','','two
lines and 🍋',NULL,NULL,'6b6c7b184eebe1fd9124f4965c0bdc3df3ce2a7c36d73318e6ac1ef638b8be1c','132e035ba67ca47ebcc86f9caf60d085c45c793045b5eefb9bb22c9c330a7152','2026-11-23 07:10:09.001',NULL,NULL,20,'statement:label=syntactic',4,NULL,39);
INSERT INTO "tasks_rating" VALUES(18,'','','','two
lines and 🍋',NULL,NULL,'586752cfa456feb69318e5615260fdd5e873e2daf5ab55596fe7763a7cd874b5','401b091b4e844c32ca5558afdeb59042407457773e8da026d2c871079999e0a2','2026-11-23 07:10:09.001',NULL,NULL,21,'statement:label=semantic',4,NULL,41);
INSERT INTO "tasks_rating" VALUES(19,'','','','two
lines and 🍋',NULL,NULL,'4332513bcdc92fd6400e187c79ba9768f84a326517f41a7b064d28b8c43fff21','cd9d1c3e210e0d5bc7f2586dda988d9a12c0b940f41bb63a90009af83f9f5ca0','2026-11-23 07:10:09.001',NULL,NULL,22,'statement:label=wrong',4,NULL,43);
INSERT INTO "tasks_rating" VALUES(20,'','','','two
lines and 🍋',NULL,NULL,'d74d2adc0e044b7dd789a0c1f769b26fc15e0fcc812d86d65e4b80068b4de07d','dc20d2f9e98e038c6102cdabdca2c411f654d47c10c00237f480efdda0bc6ba7','2026-11-23 07:10:09.001',NULL,NULL,23,'statement:label=correct',4,NULL,45);
INSERT INTO "tasks_rating" VALUES(21,'hidden','hidden','feather','',NULL,'2026-11-23 07:10:09','0','9cf9332e213e6ab98ba23683046d9607771dd8c30c1384b4298667e3fe5ac0b7','2026-11-23 07:10:09.464',1,1,5,'ae:q1=no,q2=yes',5,NULL,10);
INSERT INTO "tasks_rating" VALUES(22,'hidden','hidden','feather','',NULL,'2026-11-23 07:10:09','1','b120171231c3235ce3e2582b54dce0f3dbe5e32cc62e2341be2af66b9a6ba326','2026-11-23 07:10:09.503',2,1,3,'ae:q1=yes',5,NULL,6);
INSERT INTO "tasks_rating" VALUES(23,'hidden','hidden','feather','',NULL,'2026-11-23 07:10:09','2','61bf5150cf9b7ab31f4d992d899177594eb46a47f855df5d2c818463f685a22b','2026-11-23 07:10:09.527',3,1,6,'ae:q1=no,q2=yes',5,NULL,11);
INSERT INTO "tasks_rating" VALUES(24,'hidden','hidden','feather','',NULL,'2026-11-23 07:10:09','3','ddad611b43a19092c94fda0f166cdca17407121877fdb3b060a9d815523fd706','2026-11-23 07:10:09.552',4,1,4,'ae:q1=yes',5,NULL,8);
CREATE TABLE "tasks_release" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "version" varchar(40) NOT NULL, "digest" varchar(64) NOT NULL, "seed" integer unsigned NOT NULL CHECK ("seed" >= 0), "split" varchar(200) NOT NULL, "splits" text NOT NULL CHECK ((JSON_VALID("splits") OR "splits" IS NULL)), "documents" text NOT NULL CHECK ((JSON_VALID("documents") OR "documents" IS NULL)), "items" integer unsigned NOT NULL CHECK ("items" >= 0), "ratings" integer unsigned NOT NULL CHECK ("ratings" >= 0), "path" varchar(1000) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "created_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "release_version_unique" UNIQUE ("campaign_id", "version"));
INSERT INTO "tasks_release" VALUES(1,'1.0.0','c5ac0b1913851e2a458854782d2d7af0d0a88fcf346e566509e87e3c986e1311',0,'document:dev=50,test=50','{"dev": 3, "test": 3}','{"document-0": "dev", "document-1": "test", "document-2": "dev", "document-3": "dev", "document-4": "test", "document-5": "test"}',6,9,'{data folder}/releases/ae/1.0.0','2026-11-23 07:10:12.751',1,NULL);
CREATE TABLE "tasks_schedulertick" ("id" smallint unsigned NOT NULL PRIMARY KEY CHECK ("id" >= 0), "seen_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, CONSTRAINT "one_scheduler_tick" CHECK ("id" = 1));
CREATE TABLE "tasks_seenvotes" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "member_id" bigint NOT NULL REFERENCES "tasks_membership" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "votes_seen_once" UNIQUE ("item_id", "member_id"));
CREATE TABLE "tasks_slot" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "order_key" bigint NULL, "expires_at" datetime NULL, "is_filled" bool NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, "holder_id" bigint NULL UNIQUE REFERENCES "tasks_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "slot_number_unique" UNIQUE ("item_id", "number"), CONSTRAINT "slot_held_until_a_time" CHECK ((("expires_at" IS NULL AND "holder_id" IS NULL) OR ("expires_at" IS NOT NULL AND "holder_id" IS NOT NULL))));
INSERT INTO "tasks_slot" VALUES(1,1,8474105621647825984,NULL,1,1,1,NULL);
INSERT INTO "tasks_slot" VALUES(2,2,8474105621647825984,NULL,0,1,1,NULL);
INSERT INTO "tasks_slot" VALUES(3,1,6408926198592727796,NULL,1,1,2,NULL);
INSERT INTO "tasks_slot" VALUES(4,2,6408926198592727796,NULL,0,1,2,NULL);
INSERT INTO "tasks_slot" VALUES(5,1,3015358576228801225,NULL,1,1,3,NULL);
INSERT INTO "tasks_slot" VALUES(6,2,3015358576228801225,'2026-11-23 07:40:09.485000',1,1,3,2);
INSERT INTO "tasks_slot" VALUES(7,1,4574765615403582721,NULL,1,1,4,NULL);
INSERT INTO "tasks_slot" VALUES(8,2,4574765615403582721,'2026-11-23 07:40:09.542000',1,1,4,4);
INSERT INTO "tasks_slot" VALUES(9,1,874585069493166672,NULL,1,1,5,NULL);
INSERT INTO "tasks_slot" VALUES(10,2,874585069493166672,'2026-11-23 07:40:09.451000',1,1,5,1);
INSERT INTO "tasks_slot" VALUES(11,1,4059890503284499672,'2026-11-23 07:40:09.518000',1,1,6,3);
INSERT INTO "tasks_slot" VALUES(12,2,4059890503284499672,NULL,0,1,6,NULL);
INSERT INTO "tasks_slot" VALUES(13,1,8474105621647825984,NULL,1,2,7,NULL);
INSERT INTO "tasks_slot" VALUES(14,2,8474105621647825984,NULL,0,2,7,NULL);
INSERT INTO "tasks_slot" VALUES(15,1,6408926198592727796,NULL,1,2,8,NULL);
INSERT INTO "tasks_slot" VALUES(16,2,6408926198592727796,NULL,0,2,8,NULL);
INSERT INTO "tasks_slot" VALUES(17,1,3015358576228801225,NULL,1,2,9,NULL);
INSERT INTO "tasks_slot" VALUES(18,2,3015358576228801225,NULL,0,2,9,NULL);
INSERT INTO "tasks_slot" VALUES(19,1,4574765615403582721,NULL,1,2,10,NULL);
INSERT INTO "tasks_slot" VALUES(20,2,4574765615403582721,NULL,0,2,10,NULL);
INSERT INTO "tasks_slot" VALUES(21,1,874585069493166672,NULL,1,2,11,NULL);
INSERT INTO "tasks_slot" VALUES(22,2,874585069493166672,NULL,0,2,11,NULL);
INSERT INTO "tasks_slot" VALUES(23,1,4059890503284499672,NULL,0,2,12,NULL);
INSERT INTO "tasks_slot" VALUES(24,2,4059890503284499672,NULL,0,2,12,NULL);
INSERT INTO "tasks_slot" VALUES(25,1,8474105621647825984,NULL,1,3,13,NULL);
INSERT INTO "tasks_slot" VALUES(26,2,8474105621647825984,NULL,0,3,13,NULL);
INSERT INTO "tasks_slot" VALUES(27,1,6408926198592727796,NULL,1,3,14,NULL);
INSERT INTO "tasks_slot" VALUES(28,2,6408926198592727796,NULL,0,3,14,NULL);
INSERT INTO "tasks_slot" VALUES(29,1,3015358576228801225,NULL,1,3,15,NULL);
INSERT INTO "tasks_slot" VALUES(30,2,3015358576228801225,NULL,0,3,15,NULL);
INSERT INTO "tasks_slot" VALUES(31,1,4574765615403582721,NULL,1,3,16,NULL);
INSERT INTO "tasks_slot" VALUES(32,2,4574765615403582721,NULL,0,3,16,NULL);
INSERT INTO "tasks_slot" VALUES(33,1,874585069493166672,NULL,1,3,17,NULL);
INSERT INTO "tasks_slot" VALUES(34,2,874585069493166672,NULL,0,3,17,NULL);
INSERT INTO "tasks_slot" VALUES(35,1,4059890503284499672,NULL,0,3,18,NULL);
INSERT INTO "tasks_slot" VALUES(36,2,4059890503284499672,NULL,0,3,18,NULL);
INSERT INTO "tasks_slot" VALUES(37,1,8474105621647825984,NULL,1,4,19,NULL);
INSERT INTO "tasks_slot" VALUES(38,2,8474105621647825984,NULL,0,4,19,NULL);
INSERT INTO "tasks_slot" VALUES(39,1,6408926198592727796,NULL,1,4,20,NULL);
INSERT INTO "tasks_slot" VALUES(40,2,6408926198592727796,NULL,0,4,20,NULL);
INSERT INTO "tasks_slot" VALUES(41,1,3015358576228801225,NULL,1,4,21,NULL);
INSERT INTO "tasks_slot" VALUES(42,2,3015358576228801225,NULL,0,4,21,NULL);
INSERT INTO "tasks_slot" VALUES(43,1,4574765615403582721,NULL,1,4,22,NULL);
INSERT INTO "tasks_slot" VALUES(44,2,4574765615403582721,NULL,0,4,22,NULL);
INSERT INTO "tasks_slot" VALUES(45,1,874585069493166672,NULL,1,4,23,NULL);
INSERT INTO "tasks_slot" VALUES(46,2,874585069493166672,NULL,0,4,23,NULL);
INSERT INTO "tasks_slot" VALUES(47,1,4059890503284499672,NULL,0,4,24,NULL);
INSERT INTO "tasks_slot" VALUES(48,2,4059890503284499672,NULL,0,4,24,NULL);
CREATE TABLE "tasks_submission" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL, "attempt" smallint unsigned NOT NULL CHECK ("attempt" >= 0), "description" varchar(300) NOT NULL, "split" varchar(40) NOT NULL, "file" text NOT NULL, "file_name" varchar(255) NOT NULL, "format" varchar(10) NOT NULL, "sha256" varchar(64) NOT NULL, "predictions" integer unsigned NOT NULL CHECK ("predictions" >= 0), "passed_over" integer unsigned DEFAULT 0 NOT NULL CHECK ("passed_over" >= 0), "role" varchar(20) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "job_id" bigint NOT NULL REFERENCES "tasks_job" ("id") DEFERRABLE INITIALLY DEFERRED, "release_id" bigint NOT NULL REFERENCES "tasks_release" ("id") DEFERRABLE INITIALLY DEFERRED, "submitted_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "submission_name_once_at_a_time" UNIQUE ("release_id", "name", "attempt"), CONSTRAINT "submission_has_a_name" CHECK (NOT ("name" = '')));
CREATE TABLE "tasks_submissionscore" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "signature" varchar(64) NOT NULL, "scores" BLOB NOT NULL, "result" text NOT NULL CHECK ((JSON_VALID("result") OR "result" IS NULL)), "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "submission_id" bigint NOT NULL REFERENCES "tasks_submission" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "submission_scored_once_per_signature" UNIQUE ("submission_id", "signature"));
CREATE TABLE "tasks_submissionwithdrawal" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "reason" varchar(500) NOT NULL, "role" varchar(20) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "submission_id" bigint NOT NULL UNIQUE REFERENCES "tasks_submission" ("id") DEFERRABLE INITIALLY DEFERRED, "withdrawn_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "submission_withdrawal_has_a_reason" CHECK (NOT ("reason" = '')));
CREATE TABLE "tasks_suggestion" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "matcher" varchar(80) NOT NULL, "version" varchar(255) NOT NULL, "score" real NOT NULL, "is_correct" bool NOT NULL, "explanation" text NULL CHECK ((JSON_VALID("explanation") OR "explanation" IS NULL)), "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "item_id" bigint NOT NULL REFERENCES "tasks_item" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "scored_once" UNIQUE ("item_id", "matcher", "version"), CONSTRAINT "score_in_unit_interval" CHECK (("score" >= 0.0 AND "score" <= 1.0)));
INSERT INTO "tasks_suggestion" VALUES(1,'f1','1',0.5,1,NULL,'2026-11-23 07:10:10.052',1);
CREATE TABLE "tasks_suggestionview" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "arm" varchar(20) NOT NULL, "shown_at" datetime NULL, "closed_at" datetime NULL, "assignment_id" bigint NOT NULL UNIQUE REFERENCES "tasks_assignment" ("id") DEFERRABLE INITIALLY DEFERRED, "suggestion_id" bigint NOT NULL REFERENCES "tasks_suggestion" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "view_of_a_shown_suggestion" CHECK ("arm" IN ('before', 'after')), CONSTRAINT "suggestion_closed_after_it_was_shown" CHECK (("shown_at" IS NULL OR "closed_at" IS NULL OR "closed_at" >= ("shown_at"))));
CREATE TABLE "tasks_system" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(255) NOT NULL, "overlap" smallint unsigned NULL CHECK ("overlap" >= 0), "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "system_name_unique" UNIQUE ("campaign_id", "name"));
INSERT INTO "tasks_system" VALUES(1,'larch',NULL,1);
INSERT INTO "tasks_system" VALUES(2,'larch',NULL,2);
INSERT INTO "tasks_system" VALUES(3,'larch',NULL,3);
INSERT INTO "tasks_system" VALUES(4,'larch',NULL,4);
CREATE TABLE "tasks_trainedmatcher" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(18) NOT NULL, "weights" text NOT NULL, "folder" varchar(130) NOT NULL, "digest" varchar(64) NOT NULL, "labels" integer unsigned NOT NULL CHECK ("labels" >= 0), "correct" integer unsigned NOT NULL CHECK ("correct" >= 0), "ties" integer unsigned NOT NULL CHECK ("ties" >= 0), "documents" integer unsigned NOT NULL CHECK ("documents" >= 0), "seed" integer unsigned NOT NULL CHECK ("seed" >= 0), "learning_curve" text NOT NULL CHECK ((JSON_VALID("learning_curve") OR "learning_curve" IS NULL)), "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED, "job_id" bigint NOT NULL REFERENCES "tasks_job" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "trained_matcher_once" UNIQUE ("campaign_id", "kind", "digest"), CONSTRAINT "trained_matcher_kind_known" CHECK ("kind" IN ('cfmatch', 'feather', 'bem')), CONSTRAINT "trained_matcher_knows_both_labels" CHECK (("correct" > 0 AND "correct" < ("labels"))), CONSTRAINT "trained_matcher_weights_or_folder" CHECK ((("weights" = '' OR "folder" = '') AND 1 = (CASE WHEN "weights" = '' THEN 1 ELSE 0 END + CASE WHEN "folder" = '' THEN 1 ELSE 0 END))));
INSERT INTO "tasks_trainedmatcher" VALUES(1,'feather','{}','','0123456789ab',6,3,0,6,0,'{"points": [[6, 0.5]]}','2026-11-23 07:10:10.035',1,1);
CREATE TABLE "tasks_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE, "first_name" varchar(150) NOT NULL, "last_name" varchar(150) NOT NULL, "email" varchar(254) NOT NULL, "is_staff" bool NOT NULL, "is_active" bool NOT NULL, "date_joined" datetime NOT NULL, "sign_outs" integer unsigned NOT NULL CHECK ("sign_outs" >= 0));
INSERT INTO "tasks_user" VALUES(1,'pbkdf2_sha256$1000000$18zA1jj7uwmEFAuxxXnFGd$4V69zie0h5/Fv9HqNRJNjpHZ30M8tWA4uaXvMDEnZQw=',NULL,0,'rater-of-ae','','','',0,1,'2026-11-23 07:10:09.015701',0);
INSERT INTO "tasks_user" VALUES(2,'pbkdf2_sha256$1000000$aP7Gt4yO1uX3ZLkttHOpuM$jIcnXZ/BVd8Cq0Yy6Ndq8fyhjoHfk58Ivixywg2VKnw=',NULL,0,'expert-of-ae','','','',0,1,'2026-11-23 07:10:09.562684',0);
CREATE TABLE "tasks_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" bigint NOT NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_user_user_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" bigint NOT NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "tasks_webhook" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "url" varchar(500) NOT NULL, "secret" varchar(100) NOT NULL, "events" text NOT NULL CHECK ((JSON_VALID("events") OR "events" IS NULL)), "is_active" bool NOT NULL, "failures" integer unsigned NOT NULL CHECK ("failures" >= 0), "failing_since" datetime NULL, "rests_until" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "switched_off_because" text NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "deleted_at" datetime NULL, "campaign_id" bigint NOT NULL REFERENCES "tasks_campaign" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO "tasks_webhook" VALUES(1,'https://hooks.example/','kZDfTk2ugo3V5AfYIBgKB3eoh-MrNaaoVvNFLIR0OkU','["rating.stored"]',1,0,NULL,'2026-11-23 07:10:10.061','','2026-11-23 07:10:10.061',NULL,1);
CREATE TABLE "tasks_withdrawal" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "reason" text NOT NULL, "role" varchar(20) NOT NULL, "created_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "release_id" bigint NOT NULL UNIQUE REFERENCES "tasks_release" ("id") DEFERRABLE INITIALLY DEFERRED, "withdrawn_by_id" bigint NULL REFERENCES "tasks_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "withdrawal_has_a_reason" CHECK (NOT ("reason" = '')));
CREATE TABLE "tasks_worker" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(255) NOT NULL, "host" varchar(255) NOT NULL, "pid" integer unsigned NOT NULL CHECK ("pid" >= 0), "started_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "seen_at" datetime DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')) NOT NULL, "job_id" bigint NULL REFERENCES "tasks_job" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "worker_process_once" UNIQUE ("name", "host", "pid"));
CREATE UNIQUE INDEX "django_content_type_app_label_model_76bd3d3b_uniq" ON "django_content_type" ("app_label", "model");
CREATE UNIQUE INDEX "auth_group_permissions_group_id_permission_id_0cd325b0_uniq" ON "auth_group_permissions" ("group_id", "permission_id");
CREATE INDEX "auth_group_permissions_group_id_b120cbf9" ON "auth_group_permissions" ("group_id");
CREATE INDEX "auth_group_permissions_permission_id_84c5c92e" ON "auth_group_permissions" ("permission_id");
CREATE UNIQUE INDEX "auth_permission_content_type_id_codename_01ab375a_uniq" ON "auth_permission" ("content_type_id", "codename");
CREATE INDEX "auth_permission_content_type_id_2f476e4b" ON "auth_permission" ("content_type_id");
CREATE UNIQUE INDEX "tasks_user_groups_user_id_group_id_b5084220_uniq" ON "tasks_user_groups" ("user_id", "group_id");
CREATE INDEX "tasks_user_groups_user_id_9be98d70" ON "tasks_user_groups" ("user_id");
CREATE INDEX "tasks_user_groups_group_id_004a2bfc" ON "tasks_user_groups" ("group_id");
CREATE UNIQUE INDEX "tasks_user_user_permissions_user_id_permission_id_ac810335_uniq" ON "tasks_user_user_permissions" ("user_id", "permission_id");
CREATE INDEX "tasks_user_user_permissions_user_id_872ae40a" ON "tasks_user_user_permissions" ("user_id");
CREATE INDEX "tasks_user_user_permissions_permission_id_ed24ec4b" ON "tasks_user_user_permissions" ("permission_id");
CREATE INDEX "tasks_campaign_created_by_id_9506b866" ON "tasks_campaign" ("created_by_id");
CREATE INDEX "tasks_consenttext_campaign_id_96b4071a" ON "tasks_consenttext" ("campaign_id");
CREATE INDEX "tasks_campaign_consent_text_id_25d2cb72" ON "tasks_campaign" ("consent_text_id");
CREATE INDEX "tasks_invitation_campaign_id_8b698eb7" ON "tasks_invitation" ("campaign_id");
CREATE INDEX "tasks_invitation_created_by_id_876f312e" ON "tasks_invitation" ("created_by_id");
CREATE INDEX "tasks_membership_campaign_id_d26e869f" ON "tasks_membership" ("campaign_id");
CREATE INDEX "tasks_membership_consented_to_id_ab471f59" ON "tasks_membership" ("consented_to_id");
CREATE INDEX "tasks_membership_invitation_id_588711c7" ON "tasks_membership" ("invitation_id");
CREATE INDEX "tasks_membership_user_id_ab94c12c" ON "tasks_membership" ("user_id");
CREATE INDEX "tasks_apitoken_user_id_01a3ac21" ON "tasks_apitoken" ("user_id");
CREATE INDEX "tasks_apitoken_campaign_id_e584f7c6" ON "tasks_apitoken" ("campaign_id");
CREATE INDEX "tasks_guideline_campaign_id_e40211a1" ON "tasks_guideline" ("campaign_id");
CREATE INDEX "tasks_campaign_guideline_id_84f888fd" ON "tasks_campaign" ("guideline_id");
CREATE INDEX "tasks_auditentry_user_id_1eda28a8" ON "tasks_auditentry" ("user_id");
CREATE INDEX "audit_of_campaign" ON "tasks_auditentry" ("campaign_id", "sequence" DESC);
CREATE INDEX "tasks_document_campaign_id_de9d8020" ON "tasks_document" ("campaign_id");
CREATE INDEX "tasks_question_campaign_id_0e17ae65" ON "tasks_question" ("campaign_id");
CREATE INDEX "tasks_question_document_id_f557b3d6" ON "tasks_question" ("document_id");
CREATE INDEX "question_by_texts" ON "tasks_question" ("campaign_id", "fingerprint");
CREATE INDEX "tasks_item_campaign_id_c6bb3977" ON "tasks_item" ("campaign_id");
CREATE INDEX "tasks_item_question_id_59a12599" ON "tasks_item" ("question_id");
CREATE INDEX "tasks_system_campaign_id_d380426b" ON "tasks_system" ("campaign_id");
CREATE INDEX "tasks_itemsystem_item_id_c6e6f215" ON "tasks_itemsystem" ("item_id");
CREATE INDEX "tasks_itemsystem_system_id_220a0646" ON "tasks_itemsystem" ("system_id");
CREATE INDEX "tasks_candidate_question_id_408ae678" ON "tasks_candidate" ("question_id");
CREATE INDEX "tasks_candidate_system_id_538a0776" ON "tasks_candidate" ("system_id");
CREATE INDEX "tasks_crowdvisit_campaign_id_44a20d20" ON "tasks_crowdvisit" ("campaign_id");
CREATE INDEX "tasks_generatedtext_campaign_id_051ddeba" ON "tasks_generatedtext" ("campaign_id");
CREATE INDEX "tasks_generatedtext_reviewed_by_id_78bc6714" ON "tasks_generatedtext" ("reviewed_by_id");
CREATE INDEX "tasks_generatedtext_source_id_78dbe9ea" ON "tasks_generatedtext" ("source_id");
CREATE INDEX "generated_by_state" ON "tasks_generatedtext" ("campaign_id", "state", "id");
CREATE INDEX "tasks_loginattempts_counted_from_7f31e4be" ON "tasks_loginattempts" ("counted_from");
CREATE INDEX "tasks_assignment_slot_id_e56a7072" ON "tasks_assignment" ("slot_id");
CREATE INDEX "assignments_of_rater" ON "tasks_assignment" ("rater_id", "claimed_at");
CREATE INDEX "active_assignments" ON "tasks_assignment" ("rater_id") WHERE "state" = 'active';
CREATE INDEX "skipped_assignments" ON "tasks_assignment" ("rater_id") WHERE "state" = 'skipped';
CREATE INDEX "open_slots_in_order" ON "tasks_slot" ("campaign_id", "order_key", "number") WHERE NOT "is_filled";
CREATE INDEX "tasks_draft_assignment_id_e7ac7fd2" ON "tasks_draft" ("assignment_id");
CREATE INDEX "tasks_draft_guideline_id_6aecf99c" ON "tasks_draft" ("guideline_id");
CREATE UNIQUE INDEX "one_history_per_item_and_rater" ON "tasks_rating" ("item_id", "rater_id") WHERE "supersedes_id" IS NULL;
CREATE UNIQUE INDEX "one_counted_rating_per_slot" ON "tasks_rating" ("slot_id") WHERE ("slot_id" IS NOT NULL AND "supersedes_id" IS NULL);
CREATE INDEX "tasks_rating_assignment_id_649e437e" ON "tasks_rating" ("assignment_id");
CREATE INDEX "tasks_rating_guideline_id_f1bd8909" ON "tasks_rating" ("guideline_id");
CREATE INDEX "tasks_rating_item_id_344bde0b" ON "tasks_rating" ("item_id");
CREATE INDEX "tasks_rating_slot_id_de06f76f" ON "tasks_rating" ("slot_id");
CREATE INDEX "tasks_firstlook_adjudicator_id_ffe7d3bc" ON "tasks_firstlook" ("adjudicator_id");
CREATE UNIQUE INDEX "one_history_per_item_and_adjudicator" ON "tasks_adjudication" ("item_id", "adjudicator_id") WHERE "supersedes_id" IS NULL;
CREATE INDEX "tasks_adjudication_guideline_id_532010d8" ON "tasks_adjudication" ("guideline_id");
CREATE INDEX "adjudications_of_item" ON "tasks_adjudication" ("item_id");
CREATE INDEX "tasks_seenvotes_member_id_1ce2a8e9" ON "tasks_seenvotes" ("member_id");
CREATE INDEX "tasks_leftitem_adjudicator_id_331dd4ae" ON "tasks_leftitem" ("adjudicator_id");
CREATE UNIQUE INDEX "one_open_flag_per_item_and_rater" ON "tasks_flag" ("item_id", "rater_id") WHERE "settled_at" IS NULL;
CREATE INDEX "tasks_flag_item_id_bde4fffd" ON "tasks_flag" ("item_id");
CREATE INDEX "tasks_flag_rater_id_4df0982c" ON "tasks_flag" ("rater_id");
CREATE INDEX "tasks_flag_settled_by_id_f55f65e5" ON "tasks_flag" ("settled_by_id");
CREATE INDEX "tasks_suggestion_item_id_402f3f0e" ON "tasks_suggestion" ("item_id");
CREATE INDEX "tasks_suggestionview_suggestion_id_18eafdc9" ON "tasks_suggestionview" ("suggestion_id");
CREATE INDEX "tasks_consent_text_id_bf0d1a23" ON "tasks_consent" ("text_id");
CREATE INDEX "tasks_consent_membership_id_312aaa21" ON "tasks_consent" ("membership_id");
CREATE INDEX "tasks_expectedanswer_outcome_id_21c410e8" ON "tasks_expectedanswer" ("outcome_id");
CREATE INDEX "tasks_calibrationattempt_guideline_id_09fa9cc4" ON "tasks_calibrationattempt" ("guideline_id");
CREATE INDEX "tasks_calibrationattempt_membership_id_d9f2f0b2" ON "tasks_calibrationattempt" ("membership_id");
CREATE INDEX "tasks_membership_passed_calibration_id_a2492afb" ON "tasks_membership" ("passed_calibration_id");
CREATE INDEX "tasks_calibrationanswer_attempt_id_01a7c30d" ON "tasks_calibrationanswer" ("attempt_id");
CREATE INDEX "tasks_calibrationanswer_item_id_eb68c8da" ON "tasks_calibrationanswer" ("item_id");
CREATE INDEX "tasks_calibrationanswer_outcome_id_fb3464fb" ON "tasks_calibrationanswer" ("outcome_id");
CREATE INDEX "tasks_figures_assessment_id_561a58f4" ON "tasks_figures" ("assessment_id");
CREATE INDEX "tasks_look_campaign_id_30c80073" ON "tasks_look" ("campaign_id");
CREATE INDEX "tasks_alertrule_campaign_id_102a34bc" ON "tasks_alertrule" ("campaign_id");
CREATE UNIQUE INDEX "one_open_alert_of_a_kind" ON "tasks_alert" ("campaign_id", "kind", "subject") WHERE "acknowledged_at" IS NULL;
CREATE INDEX "tasks_alert_campaign_id_e0296731" ON "tasks_alert" ("campaign_id");
CREATE INDEX "tasks_alert_look_id_09bd4ce9" ON "tasks_alert" ("look_id");
CREATE INDEX "tasks_alert_acknowledged_by_id_7a6f2c37" ON "tasks_alert" ("acknowledged_by_id");
CREATE INDEX "tasks_datasheetanswer_campaign_id_050ce5df" ON "tasks_datasheetanswer" ("campaign_id");
CREATE INDEX "tasks_datasheetanswer_written_by_id_88ca501a" ON "tasks_datasheetanswer" ("written_by_id");
CREATE INDEX "tasks_release_campaign_id_b6b0bca9" ON "tasks_release" ("campaign_id");
CREATE INDEX "tasks_release_created_by_id_b5df27c1" ON "tasks_release" ("created_by_id");
CREATE INDEX "tasks_withdrawal_withdrawn_by_id_ba6ef96f" ON "tasks_withdrawal" ("withdrawn_by_id");
CREATE UNIQUE INDEX "same_job_once_at_a_time" ON "tasks_job" ("campaign_id", "input_hash") WHERE "state" IN ('queued', 'running');
CREATE INDEX "tasks_job_campaign_id_6a0a4d27" ON "tasks_job" ("campaign_id");
CREATE INDEX "tasks_job_created_by_id_80d10384" ON "tasks_job" ("created_by_id");
CREATE INDEX "tasks_job_acknowledged_by_id_8ee492a5" ON "tasks_job" ("acknowledged_by_id");
CREATE INDEX "unfinished_jobs" ON "tasks_job" ("state") WHERE "state" IN ('queued', 'running');
CREATE INDEX "tasks_jobfailure_item_id_ffbbb55f" ON "tasks_jobfailure" ("item_id");
CREATE INDEX "tasks_jobfailure_job_id_1cc6053d" ON "tasks_jobfailure" ("job_id");
CREATE INDEX "tasks_jobfailure_acknowledged_by_id_5f6be9d9" ON "tasks_jobfailure" ("acknowledged_by_id");
CREATE INDEX "tasks_jobfailure_question_id_e92b86c7" ON "tasks_jobfailure" ("question_id");
CREATE INDEX "tasks_evaluation_campaign_id_33edf244" ON "tasks_evaluation" ("campaign_id");
CREATE INDEX "tasks_evaluation_created_by_id_f3135596" ON "tasks_evaluation" ("created_by_id");
CREATE INDEX "tasks_evaluation_release_id_d6aef7c0" ON "tasks_evaluation" ("release_id");
CREATE INDEX "tasks_submission_job_id_a48ab289" ON "tasks_submission" ("job_id");
CREATE INDEX "tasks_submission_release_id_fbd46c19" ON "tasks_submission" ("release_id");
CREATE INDEX "tasks_submission_submitted_by_id_1ca6b906" ON "tasks_submission" ("submitted_by_id");
CREATE INDEX "tasks_submissionscore_submission_id_4c5343fe" ON "tasks_submissionscore" ("submission_id");
CREATE INDEX "tasks_submissionwithdrawal_withdrawn_by_id_b4d50bb2" ON "tasks_submissionwithdrawal" ("withdrawn_by_id");
CREATE INDEX "tasks_leaderboard_release_id_e7c6a091" ON "tasks_leaderboard" ("release_id");
CREATE INDEX "tasks_trainedmatcher_campaign_id_9191ae99" ON "tasks_trainedmatcher" ("campaign_id");
CREATE INDEX "tasks_trainedmatcher_job_id_37f4e3e1" ON "tasks_trainedmatcher" ("job_id");
CREATE INDEX "tasks_webhook_campaign_id_bdd39d60" ON "tasks_webhook" ("campaign_id");
CREATE INDEX "events_by_age" ON "tasks_event" ("created_at");
CREATE INDEX "tasks_alertdelivery_alert_id_22076e8f" ON "tasks_alertdelivery" ("alert_id");
CREATE INDEX "tasks_alertdelivery_event_id_57514298" ON "tasks_alertdelivery" ("event_id");
CREATE INDEX "untold_alerts" ON "tasks_alertdelivery" ("not_before") WHERE "sent_at" IS NULL;
CREATE INDEX "deliveries_of_webhook" ON "tasks_alertdelivery" ("webhook_id", "id");
CREATE INDEX "undelivered_events" ON "tasks_alertdelivery" ("webhook_id", "id") WHERE ("sent_at" IS NULL AND "webhook_id" IS NOT NULL);
CREATE INDEX "tasks_worker_job_id_712b9ef2" ON "tasks_worker" ("job_id");
CREATE INDEX "django_admin_log_content_type_id_c4bce8eb" ON "django_admin_log" ("content_type_id");
CREATE INDEX "django_admin_log_user_id_c564eba6" ON "django_admin_log" ("user_id");
CREATE INDEX "otp_static_statictoken_token_d0a51866" ON "otp_static_statictoken" ("token");
CREATE INDEX "otp_static_statictoken_device_id_74b7c7d1" ON "otp_static_statictoken" ("device_id");
CREATE INDEX "otp_static_staticdevice_user_id_7f9cff2b" ON "otp_static_staticdevice" ("user_id");
CREATE INDEX "otp_totp_totpdevice_user_id_0fb18292" ON "otp_totp_totpdevice" ("user_id");
CREATE INDEX "django_session_expire_date_a5c62663" ON "django_session" ("expire_date");
CREATE TRIGGER tasks_rating_no_UPDATE BEFORE UPDATE ON tasks_rating
BEGIN SELECT RAISE(ABORT, 'tasks_rating is append-only'); END;
CREATE TRIGGER tasks_rating_no_DELETE BEFORE DELETE ON tasks_rating
BEGIN SELECT RAISE(ABORT, 'tasks_rating is append-only'); END;
CREATE TRIGGER tasks_rating_no_REPLACE BEFORE INSERT ON tasks_rating
WHEN EXISTS (SELECT 1 FROM tasks_rating WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_rating WHERE tasks_rating."slot_id" = NEW."slot_id" AND (tasks_rating."slot_id" IS NOT NULL AND tasks_rating."supersedes_id" IS NULL) AND (NEW."slot_id" IS NOT NULL AND NEW."supersedes_id" IS NULL)) OR EXISTS (SELECT 1 FROM tasks_rating WHERE tasks_rating."item_id" = NEW."item_id" AND tasks_rating."rater_id" = NEW."rater_id" AND tasks_rating."supersedes_id" IS NULL AND NEW."supersedes_id" IS NULL) OR EXISTS (SELECT 1 FROM tasks_rating WHERE tasks_rating."supersedes_id" = NEW."supersedes_id") OR EXISTS (SELECT 1 FROM tasks_rating WHERE tasks_rating."rater_id" = NEW."rater_id" AND tasks_rating."idempotency_key" = NEW."idempotency_key")
BEGIN SELECT RAISE(ABORT, 'tasks_rating is append-only, and has such a row'); END;
CREATE TRIGGER tasks_outcome_no_UPDATE BEFORE UPDATE ON tasks_outcome
BEGIN SELECT RAISE(ABORT, 'tasks_outcome is append-only'); END;
CREATE TRIGGER tasks_outcome_no_DELETE BEFORE DELETE ON tasks_outcome
BEGIN SELECT RAISE(ABORT, 'tasks_outcome is append-only'); END;
CREATE TRIGGER tasks_outcome_no_REPLACE BEFORE INSERT ON tasks_outcome
WHEN EXISTS (SELECT 1 FROM tasks_outcome WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_outcome WHERE tasks_outcome."id" = NEW."id")
BEGIN SELECT RAISE(ABORT, 'tasks_outcome is append-only, and has such a row'); END;
CREATE TRIGGER tasks_trainedmatcher_no_UPDATE BEFORE UPDATE ON tasks_trainedmatcher
BEGIN SELECT RAISE(ABORT, 'tasks_trainedmatcher is append-only'); END;
CREATE TRIGGER tasks_trainedmatcher_no_DELETE BEFORE DELETE ON tasks_trainedmatcher
BEGIN SELECT RAISE(ABORT, 'tasks_trainedmatcher is append-only'); END;
CREATE TRIGGER tasks_trainedmatcher_no_REPLACE BEFORE INSERT ON tasks_trainedmatcher
WHEN EXISTS (SELECT 1 FROM tasks_trainedmatcher WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_trainedmatcher WHERE tasks_trainedmatcher."campaign_id" = NEW."campaign_id" AND tasks_trainedmatcher."kind" = NEW."kind" AND tasks_trainedmatcher."digest" = NEW."digest")
BEGIN SELECT RAISE(ABORT, 'tasks_trainedmatcher is append-only, and has such a row'); END;
CREATE TRIGGER tasks_firstlook_no_UPDATE BEFORE UPDATE ON tasks_firstlook
BEGIN SELECT RAISE(ABORT, 'tasks_firstlook is append-only'); END;
CREATE TRIGGER tasks_firstlook_no_DELETE BEFORE DELETE ON tasks_firstlook
BEGIN SELECT RAISE(ABORT, 'tasks_firstlook is append-only'); END;
CREATE TRIGGER tasks_firstlook_no_REPLACE BEFORE INSERT ON tasks_firstlook
WHEN EXISTS (SELECT 1 FROM tasks_firstlook WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_firstlook WHERE tasks_firstlook."item_id" = NEW."item_id" AND tasks_firstlook."adjudicator_id" = NEW."adjudicator_id")
BEGIN SELECT RAISE(ABORT, 'tasks_firstlook is append-only, and has such a row'); END;
CREATE TRIGGER tasks_adjudication_no_UPDATE BEFORE UPDATE ON tasks_adjudication
BEGIN SELECT RAISE(ABORT, 'tasks_adjudication is append-only'); END;
CREATE TRIGGER tasks_adjudication_no_DELETE BEFORE DELETE ON tasks_adjudication
BEGIN SELECT RAISE(ABORT, 'tasks_adjudication is append-only'); END;
CREATE TRIGGER tasks_adjudication_no_REPLACE BEFORE INSERT ON tasks_adjudication
WHEN EXISTS (SELECT 1 FROM tasks_adjudication WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_adjudication WHERE tasks_adjudication."item_id" = NEW."item_id" AND tasks_adjudication."adjudicator_id" = NEW."adjudicator_id" AND tasks_adjudication."supersedes_id" IS NULL AND NEW."supersedes_id" IS NULL) OR EXISTS (SELECT 1 FROM tasks_adjudication WHERE tasks_adjudication."supersedes_id" = NEW."supersedes_id") OR EXISTS (SELECT 1 FROM tasks_adjudication WHERE tasks_adjudication."adjudicator_id" = NEW."adjudicator_id" AND tasks_adjudication."idempotency_key" = NEW."idempotency_key")
BEGIN SELECT RAISE(ABORT, 'tasks_adjudication is append-only, and has such a row'); END;
CREATE TRIGGER tasks_withdrawal_no_UPDATE BEFORE UPDATE ON tasks_withdrawal
BEGIN SELECT RAISE(ABORT, 'tasks_withdrawal is append-only'); END;
CREATE TRIGGER tasks_withdrawal_no_DELETE BEFORE DELETE ON tasks_withdrawal
BEGIN SELECT RAISE(ABORT, 'tasks_withdrawal is append-only'); END;
CREATE TRIGGER tasks_withdrawal_no_REPLACE BEFORE INSERT ON tasks_withdrawal
WHEN EXISTS (SELECT 1 FROM tasks_withdrawal WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_withdrawal WHERE tasks_withdrawal."release_id" = NEW."release_id")
BEGIN SELECT RAISE(ABORT, 'tasks_withdrawal is append-only, and has such a row'); END;
CREATE TRIGGER tasks_evaluation_no_UPDATE BEFORE UPDATE ON tasks_evaluation
BEGIN SELECT RAISE(ABORT, 'tasks_evaluation is append-only'); END;
CREATE TRIGGER tasks_evaluation_no_DELETE BEFORE DELETE ON tasks_evaluation
BEGIN SELECT RAISE(ABORT, 'tasks_evaluation is append-only'); END;
CREATE TRIGGER tasks_evaluation_no_REPLACE BEFORE INSERT ON tasks_evaluation
WHEN EXISTS (SELECT 1 FROM tasks_evaluation WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_evaluation WHERE tasks_evaluation."job_id" = NEW."job_id")
BEGIN SELECT RAISE(ABORT, 'tasks_evaluation is append-only, and has such a row'); END;
CREATE TRIGGER tasks_submission_no_UPDATE BEFORE UPDATE ON tasks_submission
BEGIN SELECT RAISE(ABORT, 'tasks_submission is append-only'); END;
CREATE TRIGGER tasks_submission_no_DELETE BEFORE DELETE ON tasks_submission
BEGIN SELECT RAISE(ABORT, 'tasks_submission is append-only'); END;
CREATE TRIGGER tasks_submission_no_REPLACE BEFORE INSERT ON tasks_submission
WHEN EXISTS (SELECT 1 FROM tasks_submission WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_submission WHERE tasks_submission."release_id" = NEW."release_id" AND tasks_submission."name" = NEW."name" AND tasks_submission."attempt" = NEW."attempt")
BEGIN SELECT RAISE(ABORT, 'tasks_submission is append-only, and has such a row'); END;
CREATE TRIGGER tasks_submissionscore_no_UPDATE BEFORE UPDATE ON tasks_submissionscore
BEGIN SELECT RAISE(ABORT, 'tasks_submissionscore is append-only'); END;
CREATE TRIGGER tasks_submissionscore_no_DELETE BEFORE DELETE ON tasks_submissionscore
BEGIN SELECT RAISE(ABORT, 'tasks_submissionscore is append-only'); END;
CREATE TRIGGER tasks_submissionscore_no_REPLACE BEFORE INSERT ON tasks_submissionscore
WHEN EXISTS (SELECT 1 FROM tasks_submissionscore WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_submissionscore WHERE tasks_submissionscore."submission_id" = NEW."submission_id" AND tasks_submissionscore."signature" = NEW."signature")
BEGIN SELECT RAISE(ABORT, 'tasks_submissionscore is append-only, and has such a row'); END;
CREATE TRIGGER tasks_submissionwithdrawal_no_UPDATE BEFORE UPDATE ON tasks_submissionwithdrawal
BEGIN SELECT RAISE(ABORT, 'tasks_submissionwithdrawal is append-only'); END;
CREATE TRIGGER tasks_submissionwithdrawal_no_DELETE BEFORE DELETE ON tasks_submissionwithdrawal
BEGIN SELECT RAISE(ABORT, 'tasks_submissionwithdrawal is append-only'); END;
CREATE TRIGGER tasks_submissionwithdrawal_no_REPLACE BEFORE INSERT ON tasks_submissionwithdrawal
WHEN EXISTS (SELECT 1 FROM tasks_submissionwithdrawal WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_submissionwithdrawal WHERE tasks_submissionwithdrawal."submission_id" = NEW."submission_id")
BEGIN SELECT RAISE(ABORT, 'tasks_submissionwithdrawal is append-only, and has such a row'); END;
CREATE TRIGGER tasks_auditentry_no_UPDATE BEFORE UPDATE ON tasks_auditentry
BEGIN SELECT RAISE(ABORT, 'tasks_auditentry is append-only'); END;
CREATE TRIGGER tasks_auditentry_no_DELETE BEFORE DELETE ON tasks_auditentry
BEGIN SELECT RAISE(ABORT, 'tasks_auditentry is append-only'); END;
CREATE TRIGGER tasks_auditentry_no_REPLACE BEFORE INSERT ON tasks_auditentry
WHEN EXISTS (SELECT 1 FROM tasks_auditentry WHERE rowid = NEW.rowid) OR EXISTS (SELECT 1 FROM tasks_auditentry WHERE tasks_auditentry."sequence" = NEW."sequence") OR EXISTS (SELECT 1 FROM tasks_auditentry WHERE tasks_auditentry."previous" = NEW."previous") OR EXISTS (SELECT 1 FROM tasks_auditentry WHERE tasks_auditentry."hash" = NEW."hash")
BEGIN SELECT RAISE(ABORT, 'tasks_auditentry is append-only, and has such a row'); END;
CREATE TRIGGER tomahto_outcome_fits BEFORE INSERT ON tasks_rating
WHEN NOT EXISTS (
    SELECT 1 FROM tasks_item i
    JOIN tasks_campaign c ON c.id = i.campaign_id
    JOIN tasks_outcome o ON o.id = NEW.outcome_id AND o.protocol = c.protocol
    WHERE i.id = NEW.item_id
)
BEGIN SELECT RAISE(ABORT, 'outcome is not of the campaign''s protocol'); END;
CREATE TRIGGER tomahto_first_look_fits BEFORE INSERT ON tasks_firstlook
WHEN NOT EXISTS (
    SELECT 1 FROM tasks_item i
    JOIN tasks_campaign c ON c.id = i.campaign_id
    JOIN tasks_outcome o ON o.id = NEW.outcome_id AND o.protocol = c.protocol
    WHERE i.id = NEW.item_id
)
BEGIN SELECT RAISE(ABORT, 'outcome is not of the campaign''s protocol'); END;
CREATE TRIGGER tomahto_adjudication_fits BEFORE INSERT ON tasks_adjudication
WHEN NOT EXISTS (
    SELECT 1 FROM tasks_item i
    JOIN tasks_campaign c ON c.id = i.campaign_id
    JOIN tasks_outcome o ON o.id = NEW.outcome_id AND o.protocol = c.protocol
    WHERE i.id = NEW.item_id
)
BEGIN SELECT RAISE(ABORT, 'outcome is not of the campaign''s protocol'); END;
CREATE TRIGGER tomahto_outcome_listed BEFORE INSERT ON tasks_outcome
WHEN json_extract('{"ae:q1=yes":["ae",{"q1":"yes"},"not-equivalent","completely-different"],"ae:q1=no,q2=yes":["ae",{"q1":"no","q2":"yes"},"equivalent","equivalent"],"ae:q1=no,q2=no,q3=yes,q4=yes":["ae",{"q1":"no","q2":"no","q3":"yes","q4":"yes"},"not-equivalent","loses-and-adds"],"ae:q1=no,q2=no,q3=yes,q4=no":["ae",{"q1":"no","q2":"no","q3":"yes","q4":"no"},"not-equivalent","loses-information"],"ae:q1=no,q2=no,q3=no,q4=yes":["ae",{"q1":"no","q2":"no","q3":"no","q4":"yes"},"not-equivalent","adds-information"],"ae:q1=no,q2=no,q3=no,q4=no":["ae",{"q1":"no","q2":"no","q3":"no","q4":"no"},"not-equivalent","otherwise-not-equivalent"],"ae:not-equivalent":["ae",{},"not-equivalent","not-equivalent"],"cap:label=exact":["cap",{"label":"exact"},"exact","exact"],"cap:label=equivalent":["cap",{"label":"equivalent"},"equivalent","equivalent"],"cap:label=alternative-correct":["cap",{"label":"alternative-correct"},"alternative-correct","alternative-correct"],"cap:label=overinclusive-valid":["cap",{"label":"overinclusive-valid"},"overinclusive-valid","overinclusive-valid"],"cap:label=partial":["cap",{"label":"partial"},"partial","partial"],"cap:label=overinclusive-invalid":["cap",{"label":"overinclusive-invalid"},"overinclusive-invalid","overinclusive-invalid"],"cap:label=invalid":["cap",{"label":"invalid"},"invalid","invalid"],"cap:label=contradictory":["cap",{"label":"contradictory"},"contradictory","contradictory"],"rules:label=correct,rules=aliasing":["rules",{"label":"correct","rules":"aliasing"},"correct","correct"],"rules:label=correct,rules=numerical":["rules",{"label":"correct","rules":"numerical"},"correct","correct"],"rules:label=correct,rules=fewer-details":["rules",{"label":"correct","rules":"fewer-details"},"correct","correct"],"rules:label=correct,rules=more-details":["rules",{"label":"correct","rules":"more-details"},"correct","correct"],"rules:label=correct,rules=semantic":["rules",{"label":"correct","rules":"semantic"},"correct","correct"],"rules:label=correct,rules=other-answers":["rules",{"label":"correct","rules":"other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical":["rules",{"label":"correct","rules":"aliasing+numerical"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details":["rules",{"label":"correct","rules":"aliasing+fewer-details"},"correct","correct"],"rules:label=correct,rules=aliasing+more-details":["rules",{"label":"correct","rules":"aliasing+more-details"},"correct","correct"],"rules:label=correct,rules=aliasing+semantic":["rules",{"label":"correct","rules":"aliasing+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+other-answers":["rules",{"label":"correct","rules":"aliasing+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details":["rules",{"label":"correct","rules":"numerical+fewer-details"},"correct","correct"],"rules:label=correct,rules=numerical+more-details":["rules",{"label":"correct","rules":"numerical+more-details"},"correct","correct"],"rules:label=correct,rules=numerical+semantic":["rules",{"label":"correct","rules":"numerical+semantic"},"correct","correct"],"rules:label=correct,rules=numerical+other-answers":["rules",{"label":"correct","rules":"numerical+other-answers"},"correct","correct"],"rules:label=correct,rules=fewer-details+more-details":["rules",{"label":"correct","rules":"fewer-details+more-details"},"correct","correct"],"rules:label=correct,rules=fewer-details+semantic":["rules",{"label":"correct","rules":"fewer-details+semantic"},"correct","correct"],"rules:label=correct,rules=fewer-details+other-answers":["rules",{"label":"correct","rules":"fewer-details+other-answers"},"correct","correct"],"rules:label=correct,rules=more-details+semantic":["rules",{"label":"correct","rules":"more-details+semantic"},"correct","correct"],"rules:label=correct,rules=more-details+other-answers":["rules",{"label":"correct","rules":"more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=semantic+other-answers":["rules",{"label":"correct","rules":"semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+more-details":["rules",{"label":"correct","rules":"aliasing+numerical+more-details"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+semantic":["rules",{"label":"correct","rules":"aliasing+numerical+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+more-details":["rules",{"label":"correct","rules":"aliasing+fewer-details+more-details"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+semantic":["rules",{"label":"correct","rules":"aliasing+fewer-details+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+other-answers":["rules",{"label":"correct","rules":"aliasing+fewer-details+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+more-details+semantic":["rules",{"label":"correct","rules":"aliasing+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+more-details+other-answers":["rules",{"label":"correct","rules":"aliasing+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+more-details":["rules",{"label":"correct","rules":"numerical+fewer-details+more-details"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+semantic":["rules",{"label":"correct","rules":"numerical+fewer-details+semantic"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+other-answers":["rules",{"label":"correct","rules":"numerical+fewer-details+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+more-details+semantic":["rules",{"label":"correct","rules":"numerical+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=numerical+more-details+other-answers":["rules",{"label":"correct","rules":"numerical+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+semantic+other-answers":["rules",{"label":"correct","rules":"numerical+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=fewer-details+more-details+semantic":["rules",{"label":"correct","rules":"fewer-details+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=fewer-details+more-details+other-answers":["rules",{"label":"correct","rules":"fewer-details+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=fewer-details+semantic+other-answers":["rules",{"label":"correct","rules":"fewer-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=more-details+semantic+other-answers":["rules",{"label":"correct","rules":"more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+more-details":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+more-details"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+semantic":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+more-details+semantic":["rules",{"label":"correct","rules":"aliasing+numerical+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+more-details+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+more-details+semantic":["rules",{"label":"correct","rules":"aliasing+fewer-details+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+more-details+other-answers":["rules",{"label":"correct","rules":"aliasing+fewer-details+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+fewer-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+more-details+semantic":["rules",{"label":"correct","rules":"numerical+fewer-details+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+more-details+other-answers":["rules",{"label":"correct","rules":"numerical+fewer-details+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+semantic+other-answers":["rules",{"label":"correct","rules":"numerical+fewer-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"numerical+more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=fewer-details+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"fewer-details+more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+more-details+semantic":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+more-details+semantic"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+more-details+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+more-details+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+fewer-details+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+fewer-details+more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=numerical+fewer-details+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"numerical+fewer-details+more-details+semantic+other-answers"},"correct","correct"],"rules:label=correct,rules=aliasing+numerical+fewer-details+more-details+semantic+other-answers":["rules",{"label":"correct","rules":"aliasing+numerical+fewer-details+more-details+semantic+other-answers"},"correct","correct"],"rules:label=incorrect,rules=aliasing":["rules",{"label":"incorrect","rules":"aliasing"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical":["rules",{"label":"incorrect","rules":"numerical"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details":["rules",{"label":"incorrect","rules":"fewer-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=more-details":["rules",{"label":"incorrect","rules":"more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=semantic":["rules",{"label":"incorrect","rules":"semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=irrelevant":["rules",{"label":"incorrect","rules":"irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical":["rules",{"label":"incorrect","rules":"aliasing+numerical"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details":["rules",{"label":"incorrect","rules":"aliasing+fewer-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+more-details":["rules",{"label":"incorrect","rules":"aliasing+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+semantic":["rules",{"label":"incorrect","rules":"aliasing+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details":["rules",{"label":"incorrect","rules":"numerical+fewer-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+more-details":["rules",{"label":"incorrect","rules":"numerical+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+semantic":["rules",{"label":"incorrect","rules":"numerical+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+irrelevant":["rules",{"label":"incorrect","rules":"numerical+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+more-details":["rules",{"label":"incorrect","rules":"fewer-details+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+semantic":["rules",{"label":"incorrect","rules":"fewer-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+irrelevant":["rules",{"label":"incorrect","rules":"fewer-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=more-details+semantic":["rules",{"label":"incorrect","rules":"more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=more-details+irrelevant":["rules",{"label":"incorrect","rules":"more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=semantic+irrelevant":["rules",{"label":"incorrect","rules":"semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+more-details":["rules",{"label":"incorrect","rules":"aliasing+numerical+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+semantic":["rules",{"label":"incorrect","rules":"aliasing+numerical+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+more-details":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+semantic":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+more-details+semantic":["rules",{"label":"incorrect","rules":"aliasing+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+more-details+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+more-details":["rules",{"label":"incorrect","rules":"numerical+fewer-details+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+semantic":["rules",{"label":"incorrect","rules":"numerical+fewer-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+irrelevant":["rules",{"label":"incorrect","rules":"numerical+fewer-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+more-details+semantic":["rules",{"label":"incorrect","rules":"numerical+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+more-details+irrelevant":["rules",{"label":"incorrect","rules":"numerical+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+semantic+irrelevant":["rules",{"label":"incorrect","rules":"numerical+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+more-details+semantic":["rules",{"label":"incorrect","rules":"fewer-details+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+more-details+irrelevant":["rules",{"label":"incorrect","rules":"fewer-details+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"fewer-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+more-details"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+semantic":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+more-details+semantic":["rules",{"label":"incorrect","rules":"aliasing+numerical+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+more-details+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+more-details+semantic":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+more-details+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+more-details+semantic":["rules",{"label":"incorrect","rules":"numerical+fewer-details+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+more-details+irrelevant":["rules",{"label":"incorrect","rules":"numerical+fewer-details+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"numerical+fewer-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"numerical+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=fewer-details+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"fewer-details+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details+semantic":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+more-details+semantic"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+more-details+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+fewer-details+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+fewer-details+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=numerical+fewer-details+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"numerical+fewer-details+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:label=incorrect,rules=aliasing+numerical+fewer-details+more-details+semantic+irrelevant":["rules",{"label":"incorrect","rules":"aliasing+numerical+fewer-details+more-details+semantic+irrelevant"},"incorrect","incorrect"],"rules:correct":["rules",{},"correct","correct"],"rules:incorrect":["rules",{},"incorrect","incorrect"],"statement:label=correct":["statement",{"label":"correct"},"correct","correct"],"statement:label=syntactic":["statement",{"label":"syntactic"},"syntactic","syntactic"],"statement:label=semantic":["statement",{"label":"semantic"},"semantic","semantic"],"statement:label=wrong":["statement",{"label":"wrong"},"wrong","wrong"]}', '$."' || NEW.id || '"')
    IS NOT json_array(NEW.protocol, json(NEW.answers), NEW.label, NEW.reading)
BEGIN SELECT RAISE(ABORT, 'outcome is none that its protocol lists'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('django_migrations',25);
INSERT INTO "sqlite_sequence" VALUES('django_content_type',63);
INSERT INTO "sqlite_sequence" VALUES('auth_permission',252);
INSERT INTO "sqlite_sequence" VALUES('auth_group',0);
INSERT INTO "sqlite_sequence" VALUES('tasks_slot',48);
INSERT INTO "sqlite_sequence" VALUES('django_admin_log',0);
INSERT INTO "sqlite_sequence" VALUES('otp_static_staticdevice',0);
INSERT INTO "sqlite_sequence" VALUES('otp_totp_totpdevice',0);
INSERT INTO "sqlite_sequence" VALUES('tasks_campaign',4);
INSERT INTO "sqlite_sequence" VALUES('tasks_guideline',4);
INSERT INTO "sqlite_sequence" VALUES('tasks_document',24);
INSERT INTO "sqlite_sequence" VALUES('tasks_question',24);
INSERT INTO "sqlite_sequence" VALUES('tasks_item',24);
INSERT INTO "sqlite_sequence" VALUES('tasks_system',4);
INSERT INTO "sqlite_sequence" VALUES('tasks_itemsystem',24);
INSERT INTO "sqlite_sequence" VALUES('tasks_membership',6);
INSERT INTO "sqlite_sequence" VALUES('tasks_rating',24);
INSERT INTO "sqlite_sequence" VALUES('tasks_user',2);
INSERT INTO "sqlite_sequence" VALUES('tasks_assignment',4);
INSERT INTO "sqlite_sequence" VALUES('tasks_firstlook',1);
INSERT INTO "sqlite_sequence" VALUES('tasks_adjudication',1);
INSERT INTO "sqlite_sequence" VALUES('tasks_job',1);
INSERT INTO "sqlite_sequence" VALUES('tasks_trainedmatcher',1);
INSERT INTO "sqlite_sequence" VALUES('tasks_suggestion',1);
INSERT INTO "sqlite_sequence" VALUES('tasks_webhook',1);
INSERT INTO "sqlite_sequence" VALUES('tasks_release',1);
COMMIT;
